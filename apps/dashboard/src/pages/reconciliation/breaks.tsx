import type { Data, Schema } from '../../api/types.ts'
import { useApi } from '../../api/use-api.ts'
import { fromBaseUnits } from '../../lib/money.ts'
import { usePaging } from '../../lib/use-url.ts'
import { columnsFor } from '../../parts/columns.tsx'
import { DataTable, paged } from '../../parts/data-table.tsx'
import { Empty, Section } from '../../parts/page.tsx'
import { Status } from '../../parts/values.tsx'

export const BREAKS = '/api/core/breaks'
const { chain, hash, money, shown, time } = columnsFor<Schema<'LedgerBreak'>>()
const columns = [
  shown(
    'State',
    ({ closedAt }) => <Status value={closedAt === null ? 'Open' : 'Closed'} />,
    ({ closedAt }) => (closedAt === null ? 'open' : 'closed'),
  ),
  hash('Wallet', 'walletAddress'),
  chain('blockchain', { wide: true }),
  money('Ledger minus chain', ({ amountBaseUnits }) => fromBaseUnits(amountBaseUnits)),
  hash('Token', 'tokenAddress', { wide: true }),
  time('Opened', 'openedAt'),
  time('Closed', 'closedAt', { wide: true }),
]

/** Wallets that hold another amount than the ledger says, open ones first. */
export function Breaks() {
  const paging = usePaging()
  const breaks = useApi<Data<'listBreaks'>>(paged(BREAKS, paging.offset))
  return (
    <Section title="Breaks" pad={false}>
      <DataTable
        label="Breaks"
        path={BREAKS}
        query={breaks}
        rows={({ breaks: items, pagination }) => ({ items, total: pagination.total })}
        id={({ id }) => id}
        {...paging}
        columns={columns}
        empty={
          <Empty title="No break, ever">
            A break appears when a wallet holds another amount than the ledger says, such as after a transfer that Weir
            did not see.
          </Empty>
        }
      />
    </Section>
  )
}
