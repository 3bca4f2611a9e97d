import { Stack, Text, Title } from '@mantine/core'
import type { Data, Schema } from '../../api/types.ts'
import { useApi } from '../../api/use-api.ts'
import { columnsFor } from '../../parts/columns.tsx'
import { Loaded } from '../../parts/page.tsx'
import { SmallTable } from '../../parts/small-table.tsx'
import { strategyNamed } from '../../parts/strategy-name.tsx'

const { money, state, text } = columnsFor<Schema<'CoreAllocation'>>()
const columns = [
  strategyNamed<Schema<'CoreAllocation'>>(),
  text('Venue', 'venue', { csvOnly: true }),
  state('State', 'status', { wide: true }),
  money('Value', 'currentValue', 'token'),
  money('Yield', 'yieldEarned', 'token'),
  text('APY', 'apy', { right: true, wide: true }),
]

/** The deployed part of the wallet. */
export function Positions({ wallet }: { readonly wallet: Schema<'OperationalWallet'> }) {
  const path = `/api/v1/allocations?opWalletId=${wallet.id}&limit=100&offset=0`
  // The service lists one state at a time. Where withdrawals take time, a position unwinds for days.
  const active = useApi<Data<'listCoreAllocations'>>(`${path}&status=ACTIVE`)
  const unwinding = useApi<Data<'listCoreAllocations'>>(`${path}&status=UNWINDING`)
  return (
    <Stack gap="xs" component="section" aria-label="Positions">
      <Title order={3} size="h5">
        Positions
      </Title>
      <Loaded query={active} height={80}>
        {({ allocations: earning }) => (
          <Loaded query={unwinding} height={80}>
            {({ allocations: leaving }) =>
              earning.length + leaving.length === 0 ? (
                <Text size="sm" c="dimmed">
                  Nothing of this wallet is deployed. The reasons are above.
                </Text>
              ) : (
                <SmallTable label="Positions" rows={[...earning, ...leaving]} columns={columns} id={({ id }) => id} />
              )
            }
          </Loaded>
        )}
      </Loaded>
    </Stack>
  )
}
