import { Stack, Text, Title } from '@mantine/core'
import type { Data, Schema } from '../../api/types.ts'
import { useApi } from '../../api/use-api.ts'
import { columnsFor } from '../../parts/columns.tsx'
import { Loaded } from '../../parts/page.tsx'
import { SmallTable } from '../../parts/small-table.tsx'

const { money, text } = columnsFor<Schema<'CoreAllocation'>>()
const columns = [
  text('Venue', 'venue'),
  money('Value', 'currentValue', 'token'),
  money('Yield', 'yieldEarned', 'token'),
  text('APY', 'apy', { right: true }),
]

/** What of the wallet is deployed. */
export function Positions({ wallet }: { readonly wallet: Schema<'OperationalWallet'> }) {
  const positions = useApi<Data<'listCoreAllocations'>>(
    `/api/v1/allocations?opWalletId=${wallet.id}&limit=100&offset=0`,
  )
  return (
    <Stack gap="xs" component="section" aria-label="Positions">
      <Title order={3} size="h5">
        Positions
      </Title>
      <Loaded query={positions} height={80}>
        {({ allocations }) =>
          allocations.length === 0 ? (
            <Text size="sm" c="dimmed">
              Nothing of this wallet is deployed. The reasons are above.
            </Text>
          ) : (
            <SmallTable label="Positions" rows={allocations} columns={columns} id={({ id }) => id} />
          )
        }
      </Loaded>
    </Stack>
  )
}
