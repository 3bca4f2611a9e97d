import { Stack } from '@mantine/core'
import type { Data, Schema } from '../../api/types.ts'
import { useApi } from '../../api/use-api.ts'
import { dayEndingAt, endOf } from '../../lib/dates/as-of.ts'
import { Empty, Section } from '../../parts/frame/page.tsx'
import { columnsFor } from '../../parts/tables/columns.tsx'
import { DataTable } from '../../parts/tables/data-table.tsx'
import { AsOfAlert } from '../../parts/treasury/as-of-alert.tsx'
import { strategyNamed } from '../../parts/treasury/strategy-name.tsx'
import { ChainFilter, useChain } from './chain-filter.tsx'

type Row = Schema<'StrategyAt'> & { readonly strategy: string }

const { chain, money, text, time } = columnsFor<Row>()
/** What a share had gained over the last days before. */
const paid = (days: number) => (row: Row) => row.yields.find((each) => each.days === days)?.base
const columns = [
  strategyNamed<Row>(),
  text('Venue', 'venue', { csvOnly: true }),
  chain('blockchain', { wide: true }),
  text('1-day APY', paid(1), { right: true, wide: true }),
  text('7-day APY', paid(7), { right: true }),
  text('30-day APY', paid(30), { right: true }),
  money('TVL', 'tvl', 'token', { wide: true }),
  money('Could be withdrawn', 'liquidity', 'token', { wide: true }),
  text('Token', 'token', { csvOnly: true }),
  time('Read', 'readAt', { csvOnly: true }),
]

/** The strategies at the end of a day. Their name is that of the response, as for balances. */
export function StrategiesAt({ day }: { readonly day: string }) {
  const blockchain = useChain()
  const path = `/api/core/strategy-history?day=${day}`
  const strategies = useApi<Data<'listStrategyHistory'>>(path)
  const shown = dayEndingAt(endOf(strategies.data?.data.day ?? day))
  return (
    <Stack gap="lg">
      <AsOfAlert day={shown.text}>
        What each strategy had paid until that day and how large its pool was, from the first reading after midnight.
      </AsOfAlert>
      <Section title="Strategies" pad={false} actions={<ChainFilter />}>
        <DataTable<Row, Data<'listStrategyHistory'>>
          label={`Strategies at the end of ${shown.day}`}
          path={path}
          query={strategies}
          rows={({ strategies: all }) => {
            const items = all
              .filter((each) => blockchain === undefined || each.blockchain === blockchain)
              .map((each) => ({ ...each, strategy: each.name }))
            return { items, total: items.length }
          }}
          id={({ strategyId }) => strategyId}
          columns={columns}
          empty={
            <Empty title="Nothing was read then">The service reads strategies since its start, once a minute.</Empty>
          }
        />
      </Section>
    </Stack>
  )
}
