import { Alert, SimpleGrid, Text } from '@mantine/core'
import type { AllocationPage, OperationalWallet } from '../api/types.ts'
import { useApi } from '../api/use-api.ts'
import { fromBaseUnits, signedUnits, sum } from '../lib/money.ts'
import { numberOf, useUrl } from '../lib/use-url.ts'
import { DataTable, paged } from '../parts/data-table.tsx'
import { Empty, Page, Section, Stat } from '../parts/page.tsx'
import { chainName, Hash, Money, Status, Time } from '../parts/values.tsx'

const BREAKS = '/api/core/breaks'

interface Break {
  readonly id: number
  readonly walletId: number
  readonly walletAddress: string
  readonly blockchain: string
  readonly tokenAddress: string
  readonly amountBaseUnits: string
  readonly openedAt: string
  readonly closedAt: string | null
}

/** The ledger beside the chain and the bank: what agrees, and what is open between them. */
export function Reconciliation() {
  const [url, setUrl] = useUrl()
  const offset = numberOf(url.offset) ?? 0
  const breaks = useApi<{ breaks: Break[]; open: number; pagination: { total: number } }>(paged(BREAKS, offset))
  const wallets = useApi<OperationalWallet[]>('/api/core/wallets/monitored?limit=100&offset=0')
  const positions = useApi<AllocationPage>('/api/v1/allocations?limit=100&offset=0')
  const ramp = useApi<{ byStatus: Record<string, number> }>('/v1/ramp/org/ramp-summary')
  const open = breaks.data?.data.open
  const underWay = Object.entries(ramp.data?.data.byStatus ?? {})
    .filter(([status]) => !/completed|failed|rejected|reversed/.test(status))
    .reduce((total, [, count]) => total + count, 0)
  const list = wallets.data?.data ?? []
  return (
    <Page title="Reconciliation" description="Ledger, chain and bank, and what is open between them">
      <SimpleGrid cols={{ base: 2, md: 4 }} spacing="sm">
        <Stat label="Open breaks" value={open ?? '–'} note="ledger and chain differ" />
        <Stat
          label="Liquid, USD"
          value={<Money amount={wallets.data ? sum(list.map(({ availableBalance }) => availableBalance)) : null} />}
          note="operational wallets"
        />
        <Stat
          label="In positions, USD"
          value={<Money amount={positions.data?.data.portfolioSummary.totalValue ?? null} />}
          note="all wallets"
        />
        <Stat label="Payments under way" value={ramp.data ? underWay : '–'} note="between bank and chain" />
      </SimpleGrid>
      {open === 0 && (
        <Alert color="teal" title="Ledger and chain agree">
          Every final block is compared with the ledger. A difference opens a break here and quarantines nothing that
          agrees.
        </Alert>
      )}
      <Section title="Breaks" pad={false}>
        <DataTable
          label="Breaks"
          path={BREAKS}
          query={breaks}
          rows={({ breaks: items, pagination }) => ({ items, total: pagination.total })}
          id={({ id }) => id}
          offset={offset}
          onOffset={(next) => setUrl({ offset: next || undefined })}
          columns={[
            {
              title: 'State',
              cell: ({ closedAt }) => <Status value={closedAt === null ? 'Open' : 'Closed'} />,
              csv: ({ closedAt }) => (closedAt === null ? 'open' : 'closed'),
            },
            {
              title: 'Wallet',
              cell: ({ walletAddress }) => <Hash value={walletAddress} />,
              csv: ({ walletAddress }) => walletAddress,
            },
            {
              title: 'Chain',
              wide: true,
              cell: ({ blockchain }) => chainName(blockchain),
              csv: ({ blockchain }) => blockchain,
            },
            {
              title: 'Ledger minus chain',
              right: true,
              cell: ({ amountBaseUnits }) => <Money amount={fromBaseUnits(amountBaseUnits)} />,
              csv: ({ amountBaseUnits }) => fromBaseUnits(amountBaseUnits),
            },
            {
              title: 'Token',
              wide: true,
              cell: ({ tokenAddress }) => <Hash value={tokenAddress} />,
              csv: ({ tokenAddress }) => tokenAddress,
            },
            {
              title: 'Opened',
              right: true,
              cell: ({ openedAt }) => <Time iso={openedAt} />,
              csv: ({ openedAt }) => openedAt,
            },
            {
              title: 'Closed',
              right: true,
              wide: true,
              cell: ({ closedAt }) => <Time iso={closedAt} />,
              csv: ({ closedAt }) => closedAt,
            },
          ]}
          empty={
            <Empty title="No break, ever">
              A break appears when a wallet holds another amount than the ledger says, such as after a transfer that
              Weir did not see.
            </Empty>
          }
        />
      </Section>
      <Section title="Wallet by wallet" pad={false}>
        <DataTable
          label="Wallet by wallet"
          path="/api/core/wallets/monitored"
          query={wallets}
          rows={(items) => ({ items, total: items.length })}
          id={({ id }) => id}
          columns={[
            { title: 'Wallet', cell: ({ address }) => <Hash value={address} />, csv: ({ address }) => address },
            {
              title: 'Liquid',
              right: true,
              cell: ({ availableBalance, token }) => <Money amount={availableBalance} token={token} />,
              csv: ({ availableBalance }) => availableBalance,
            },
            {
              title: 'Reserved',
              right: true,
              wide: true,
              cell: ({ reservedBalance, token }) => <Money amount={reservedBalance} token={token} />,
              csv: ({ reservedBalance }) => reservedBalance,
            },
            {
              title: 'Positions',
              right: true,
              wide: true,
              cell: ({ deployedBalance, token }) => <Money amount={deployedBalance} token={token} />,
              csv: ({ deployedBalance }) => deployedBalance,
            },
            {
              title: 'Total',
              right: true,
              cell: ({ totalBalance, token }) => <Money amount={totalBalance} token={token} strong />,
              csv: ({ totalBalance }) => totalBalance,
            },
            {
              title: 'Adds up',
              wide: true,
              right: true,
              cell: (row) => (
                <Text size="sm" span>
                  {adds(row) ? 'Yes' : 'No'}
                </Text>
              ),
              csv: (row) => String(adds(row)),
            },
          ]}
          empty={<Empty title="No operational wallet">The ledger has nothing to compare yet.</Empty>}
        />
      </Section>
    </Page>
  )
}

/** Whether the parts of a wallet make its total; the sum is taken here, from the amounts that are shown. */
function adds({ availableBalance, reservedBalance, deployedBalance, totalBalance }: OperationalWallet): boolean {
  const parts = [availableBalance, reservedBalance, deployedBalance].map((each) => signedUnits(each) ?? 0n)
  return (
    fromBaseUnits(parts.reduce((total, each) => total + each, 0n)) === fromBaseUnits(signedUnits(totalBalance) ?? -1n)
  )
}
