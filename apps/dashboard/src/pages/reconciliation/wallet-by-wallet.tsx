import { Text } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { Answer, ApiError } from '../../api/client.ts'
import type { Schema } from '../../api/types.ts'
import { useWalletLabels } from '../../api/wallet-labels.ts'
import { fromBaseUnits, signedUnits } from '../../lib/money.ts'
import { columnsFor } from '../../parts/columns.tsx'
import { bare, DataTable } from '../../parts/data-table.tsx'
import { Empty, Section } from '../../parts/page.tsx'
import { exitingColumn } from '../wallets/exiting-column.ts'

type Row = Schema<'OperationalWallet'>
const { hash, money, shown } = columnsFor<Row>()
const columnsWith = (labels: ReadonlyMap<string, string>, wallets: readonly Row[] | undefined) => [
  hash('Wallet', 'address', { label: ({ address }) => labels.get(address) }),
  money('Liquid', 'availableBalance', undefined, { wide: true }),
  money('Reserved', 'reservedBalance', undefined, { wide: true }),
  money('Positions', 'deployedBalance', undefined, { wide: true }),
  ...exitingColumn(wallets),
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

interface Props {
  readonly wallets: UseQueryResult<Answer<Row[]>, ApiError>
}

/** The parts of each wallet, and whether they make its total. */
export function WalletByWallet({ wallets }: Props) {
  const { labels } = useWalletLabels()
  return (
    <Section title="Wallet by wallet" pad={false}>
      <DataTable
        label="Wallet by wallet"
        path="/api/core/wallets/monitored"
        query={wallets}
        rows={bare}
        id={({ id }) => id}
        columns={columnsWith(labels, wallets.data?.data)}
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
  const parts = [availableBalance, reservedBalance, deployedBalance, exitingBalance].map(
    (each) => signedUnits(each) ?? 0n,
  )
  return (
    fromBaseUnits(parts.reduce((total, each) => total + each, 0n)) === fromBaseUnits(signedUnits(totalBalance) ?? -1n)
  )
}
