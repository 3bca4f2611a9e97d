import { Text } from '@mantine/core'
import { MONITORED } from '../../api/paths.ts'
import type { Schema } from '../../api/types.ts'
import { useApi } from '../../api/use-api.ts'
import { difference, isZero, sum } from '../../lib/money/money.ts'
import { usePaging } from '../../lib/page/use-url.ts'
import { Empty, Section } from '../../parts/frame/page.tsx'
import { columnsFor } from '../../parts/tables/columns.tsx'
import { bare, DataTable, paged } from '../../parts/tables/data-table.tsx'
import { exitingColumn } from '../wallets/exiting-column.ts'

type Row = Schema<'OperationalWallet'>
const { hash, money, shown } = columnsFor<Row>()
const columnsWith = (wallets: readonly Row[] | undefined) => [
  hash('Wallet', 'address', { label: ({ label }) => label }),
  money('Liquid', 'availableBalance', undefined, { wide: true }),
  money('Reserved', 'reservedBalance', undefined, { wide: true }),
  money('Positions', 'deployedBalance', undefined, { wide: true }),
  exitingColumn(wallets),
  money('Total', 'totalBalance', 'token', { strong: true }),
  shown(
    'Adds up',
    (row) => (
      <Text size="sm" span>
        {adds(row) ? 'Yes' : 'No'}
      </Text>
    ),
    (row) => String(adds(row)),
    { right: true },
  ),
]

/** The parts of each wallet, and whether they make its total. */
export function WalletByWallet() {
  const paging = usePaging('walletsOffset')
  const wallets = useApi<Row[]>(paged(MONITORED, paging.offset))
  return (
    <Section title="Wallet by wallet" pad={false}>
      <DataTable
        label="Wallet by wallet"
        path={MONITORED}
        query={wallets}
        rows={bare}
        id={({ id }) => id}
        {...paging}
        columns={columnsWith(wallets.data?.data)}
        empty={<Empty title="No operational wallet">The ledger has nothing to compare yet.</Empty>}
      />
    </Section>
  )
}

/** Whether the parts of a wallet make its total; the sum is taken here, from the amounts that are shown. */
function adds({
  availableBalance,
  reservedBalance,
  deployedBalance,
  exitingBalance = '0',
  totalBalance,
}: Schema<'OperationalWallet'>): boolean {
  return isZero(difference(sum([availableBalance, reservedBalance, deployedBalance, exitingBalance]), totalBalance))
}
