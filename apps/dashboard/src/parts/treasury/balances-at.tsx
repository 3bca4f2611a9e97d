import { SimpleGrid } from '@mantine/core'
import type { Data, Schema } from '../../api/types.ts'
import { useApi } from '../../api/use-api.ts'
import { dayEndingAt, endOf } from '../../lib/dates/as-of.ts'
import { isZero } from '../../lib/money/money.ts'
import { usePaging } from '../../lib/page/use-url.ts'
import { counted } from '../../lib/text/counted.ts'
import { Empty, Loaded, Section, Stat } from '../frame/page.tsx'
import { columnsFor } from '../tables/columns.tsx'
import { DataTable, paged } from '../tables/data-table.tsx'
import { SmallTable } from '../tables/small-table.tsx'
import { Money } from '../values.tsx'
import { AsOfAlert } from './as-of-alert.tsx'

type Wallet = Schema<'WalletBalancesAt'>
type Token = Schema<'TokenBalancesAt'>

const WIDE = { wide: true }
const CSV = { csvOnly: true }

/** The amounts that a wallet and a token have. What was neither reserved nor exiting anywhere is in the CSV only. */
function amounts<T extends Wallet | Token>(all: readonly Token[]) {
  const { money, text } = columnsFor<T>()
  const where = (name: 'reservedBalance' | 'exitingBalance') => (all.some((each) => !isZero(each[name])) ? WIDE : CSV)
  const none = () => undefined
  return [
    text('Token', ({ token }) => token, CSV),
    money(
      'Total',
      ({ totalBalance }) => totalBalance,
      ({ token }) => token,
      { strong: true },
    ),
    money('Liquid', ({ availableBalance }) => availableBalance, none, WIDE),
    money('Deployed', ({ deployedBalance }) => deployedBalance, none, WIDE),
    money('Reserved', ({ reservedBalance }) => reservedBalance, none, where('reservedBalance')),
    money('Exiting', ({ exitingBalance }) => exitingBalance, none, where('exitingBalance')),
    money('Net inflow', ({ netInflow }) => netInflow, none, CSV),
    money('Yield', ({ yieldEarned }) => yieldEarned, none, CSV),
  ]
}
const ofWallets = columnsFor<Wallet>()
const ofTokens = columnsFor<Token>()

/**
 * What the ledger showed at the end of a day, in place of what it shows now. Its name is that of the response, never of
 * the address: while another day is read, the amounts and their day still belong together.
 */
export function BalancesAt({ day }: { readonly day: string }) {
  const paging = usePaging()
  const path = `/api/core/balances?at=${endOf(day)}`
  const balances = useApi<Data<'listBalances'>>(paged(path, paging.offset))
  const tokens = balances.data?.data.summary.byToken ?? []
  const shown = dayEndingAt(balances.data?.data.at ?? endOf(day))
  const label = `Balances at the end of ${shown.day}`
  return (
    <>
      <AsOfAlert day={shown.text}>What the ledger had posted up to that time, to the last unit.</AsOfAlert>
      <Loaded query={balances} height={84}>
        {({ summary, pagination }) => (
          <SimpleGrid cols={{ base: 2, md: 4 }} spacing="sm">
            <Stat
              label="In all wallets, USD"
              value={<Money amount={summary.totalBalance} />}
              note={counted(pagination.total, 'balance')}
            />
            <Stat
              label="Deployed, USD"
              value={<Money amount={summary.deployedBalance} />}
              note="including yield posted up to that time"
            />
            <Stat
              label="Yield earned, USD"
              value={<Money amount={summary.yieldEarned} />}
              note="since the first deposit"
            />
            <Stat label="Net inflow, USD" value={<Money amount={summary.netInflow} />} note="inflows minus outflows" />
          </SimpleGrid>
        )}
      </Loaded>
      {tokens.length > 1 && (
        <Section title="By token" pad={false}>
          <SmallTable
            label={`${label} by token`}
            rows={tokens}
            columns={[ofTokens.chain('blockchain'), ...amounts<Token>(tokens)]}
            id={({ blockchain, token }) => `${blockchain} ${token}`}
          />
        </Section>
      )}
      <Section title="Wallets" pad={false}>
        <DataTable
          label={label}
          path={path}
          query={balances}
          rows={({ wallets: items, pagination }) => ({ items, total: pagination.total })}
          id={({ walletId, token }) => `${walletId} ${token}`}
          {...paging}
          columns={[
            ofWallets.hash('Wallet', 'address', { label: ({ label }) => label ?? undefined, chain: 'blockchain' }),
            ofWallets.chain('blockchain', WIDE),
            ...amounts<Wallet>(tokens),
          ]}
          empty={<Empty title="No postings before this time">The ledger begins with the first wallet's balance.</Empty>}
        />
      </Section>
    </>
  )
}
