import { Text } from '@mantine/core'
import { HEALTH, MONITORED } from '../../api/paths.ts'
import type { Data, Schema } from '../../api/types.ts'
import { useApi } from '../../api/use-api.ts'
import { difference, isZero, sum } from '../../lib/money/money.ts'
import { usePaging } from '../../lib/page/use-url.ts'
import { Empty, Section } from '../../parts/frame/page.tsx'
import { columnsFor } from '../../parts/tables/columns.tsx'
import { bare, DataTable, paged } from '../../parts/tables/data-table.tsx'
import { exitingColumn } from '../wallets/exiting-column.ts'
import { ACCEPTED_BREAKS, BREAKS, BREAKS_MAX } from './breaks.tsx'
import { inWallet, onChain } from './on-chain.ts'

type Row = Schema<'OperationalWallet'>
const { hash, money, shown } = columnsFor<Row>()
const columnsWith = (wallets: readonly Row[] | undefined, known: Parameters<typeof onChain>[1]) => [
  hash('Wallet', 'address', { label: ({ label }) => label }),
  money('Liquid', 'availableBalance', undefined, { csvOnly: true }),
  money('Reserved', 'reservedBalance', undefined, { csvOnly: true }),
  money('In the wallet', inWallet, undefined, { wide: true }),
  money('On chain', (row) => onChain(row, known), undefined, { wide: true }),
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

/** The parts of each wallet beside what the chain has of it, and whether they make its total. */
export function WalletByWallet() {
  const paging = usePaging('walletsOffset')
  const wallets = useApi<Row[]>(paged(MONITORED, paging.offset))
  const known = useDifferences()
  return (
    <Section title="Wallet by wallet" pad={false}>
      <DataTable
        label="Wallet by wallet"
        path={MONITORED}
        query={wallets}
        rows={bare}
        id={({ id }) => id}
        {...paging}
        columns={columnsWith(wallets.data?.data, known)}
        empty={<Empty title="No operational wallet">The ledger has nothing to compare yet.</Empty>}
      />
    </Section>
  )
}

/** What is not equal between ledger and chain; unknown where there is more of it than one page of a list. */
function useDifferences(): Parameters<typeof onChain>[1] {
  const open = useApi<Data<'listBreaks'>>(paged(`${BREAKS}?status=open`, 0, BREAKS_MAX))
  const accepted = useApi<Data<'listBreaks'>>(ACCEPTED_BREAKS)
  const health = useApi<Schema<'OrganizationHealth'>>(HEALTH)
  const lists = [open, accepted].map(({ data }) => data?.data)
  const isWhole = lists.every((list) => list !== undefined && list.pagination.total <= BREAKS_MAX)
  const quarantined = health.data?.data.quarantined
  return {
    breaks: isWhole ? lists.flatMap((list) => list!.breaks) : undefined,
    quarantined:
      quarantined === undefined || quarantined.length >= BREAKS_MAX
        ? undefined
        : new Set(quarantined.map(({ walletId }) => walletId)),
  }
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
