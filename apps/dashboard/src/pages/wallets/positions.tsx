import { Stack, Text, Title } from '@mantine/core'
import { ALLOCATIONS } from '../../api/paths.ts'
import type { Data, Schema } from '../../api/types.ts'
import { useApi } from '../../api/use-api.ts'
import { usePaging } from '../../lib/page/use-url.ts'
import { columnsFor } from '../../parts/tables/columns.tsx'
import { DataTable, paged } from '../../parts/tables/data-table.tsx'
import { strategyNamed } from '../../parts/treasury/strategy-name.tsx'

const { money, state, text } = columnsFor<Schema<'CoreAllocation'>>()
const columns = [
  strategyNamed<Schema<'CoreAllocation'>>(),
  text('Venue', 'venue', { csvOnly: true }),
  state('State', 'status', { wide: true }),
  money('Value', 'currentValue', 'token'),
  money('Withdrawable', ({ withdrawable }) => withdrawable ?? null, 'token', { csvOnly: true }),
  text('Token', 'token', { csvOnly: true }),
  money('Yield', 'yieldEarned', 'token'),
  text('APY', 'apy', { right: true, wide: true }),
]

/** The deployed part of the wallet. Where withdrawals take time, a position unwinds for days. */
export function Positions({ wallet }: { readonly wallet: Schema<'OperationalWallet'> }) {
  const paging = usePaging('positionsOffset')
  const path = `${ALLOCATIONS}?opWalletId=${wallet.id}&includeUnwinding=true`
  const positions = useApi<Data<'listCoreAllocations'>>(paged(path, paging.offset))
  return (
    <Stack gap="xs" component="section" aria-label="Positions">
      <Title order={3} size="h5">
        Positions
      </Title>
      <DataTable
        label="Positions"
        path={path}
        query={positions}
        rows={({ allocations, pagination }) => ({ items: allocations, total: pagination.total })}
        id={({ id }) => id}
        {...paging}
        columns={columns}
        empty={
          <Text size="sm" c="dimmed">
            This wallet has nothing deployed. The reasons are above.
          </Text>
        }
      />
    </Stack>
  )
}
