import { SimpleGrid } from '@mantine/core'
import type { Data, Schema } from '../../api/types.ts'
import { useApi } from '../../api/use-api.ts'
import { dayEndingAt, endOf } from '../../lib/dates/as-of.ts'
import { usePaging } from '../../lib/page/use-url.ts'
import { counted } from '../../lib/text/counted.ts'
import { Empty, Loaded, Section, Stat } from '../../parts/frame/page.tsx'
import { columnsFor } from '../../parts/tables/columns.tsx'
import { DataTable, paged } from '../../parts/tables/data-table.tsx'
import { AsOfAlert } from '../../parts/treasury/as-of-alert.tsx'
import { strategyNamed } from '../../parts/treasury/strategy-name.tsx'
import { Money } from '../../parts/values.tsx'

const { chain, hash, money, text } = columnsFor<Schema<'PositionAt'>>()
const columns = [
  hash('Wallet', 'address', { label: ({ label }) => label ?? undefined, chain: 'blockchain' }),
  strategyNamed<Schema<'PositionAt'>>(),
  text('Venue', 'venue', { csvOnly: true }),
  chain('blockchain', { wide: true }),
  money('Value', 'value', 'token', { strong: true }),
  money('Yield', 'yieldEarned', 'token', { wide: true }),
  text('Token', 'token', { csvOnly: true }),
]

/** The positions that the ledger showed at the end of a day. Their name is that of the response, as for balances. */
export function PositionsAt({ day }: { readonly day: string }) {
  const paging = usePaging()
  const path = `/api/core/balances/positions?at=${endOf(day)}`
  const positions = useApi<Data<'listPositionBalances'>>(paged(path, paging.offset))
  const shown = dayEndingAt(positions.data?.data.at ?? endOf(day))
  return (
    <>
      <AsOfAlert day={shown.text}>
        What the ledger had posted for each position up to that time. The values add up to the deployed balances of the
        day.
      </AsOfAlert>
      <Loaded query={positions} height={84}>
        {({ summary, pagination }) => (
          <SimpleGrid cols={{ base: 2, md: 4 }} spacing="sm">
            <Stat
              label="Value, USD"
              value={<Money amount={summary.totalValue} />}
              note={counted(pagination.total, 'position')}
            />
            <Stat
              label="Yield earned, USD"
              value={<Money amount={summary.totalYieldEarned} />}
              note="since the first deposit of each"
            />
          </SimpleGrid>
        )}
      </Loaded>
      <Section title="Positions" pad={false}>
        <DataTable
          label={`Positions at the end of ${shown.day}`}
          path={path}
          query={positions}
          rows={({ positions: items, pagination }) => ({ items, total: pagination.total })}
          id={({ walletId, strategyId }) => `${walletId} ${strategyId}`}
          {...paging}
          columns={columns}
          empty={<Empty title="No position was worth anything then">A position appears with its first deposit.</Empty>}
        />
      </Section>
    </>
  )
}
