import { Skeleton } from '@mantine/core'
import { useDeferredValue } from 'react'
import { OVERVIEW } from '../../api/overview-reads.ts'
import { useMay, useSession } from '../../api/session.tsx'
import { useSilence, waitsForAgent } from '../../api/silence.ts'
import type { Data, Schema } from '../../api/types.ts'
import { useApi, useSettled } from '../../api/use-api.ts'
import { isZero } from '../../lib/money/money.ts'
import { counted } from '../../lib/text/counted.ts'
import { AsOfField, useAsOf } from '../../parts/forms/as-of-field.tsx'
import { InTurn } from '../../parts/frame/in-turn.tsx'
import { Page, Stat } from '../../parts/frame/page.tsx'
import { PageLink } from '../../parts/light.tsx'
import { BalancesAt } from '../../parts/treasury/balances-at.tsx'
import { SilentAgent } from '../../parts/treasury/silent-agent.tsx'
import { Money } from '../../parts/values.tsx'
import { BreakerAlert } from '../breakers/breaker-alert.tsx'
import { stops, useBreakers } from '../breakers/use-breakers.ts'
import { BelowBuffer } from './below-buffer.tsx'
import { HeldWallets } from './held-wallets.tsx'
import { LatestOperations } from './latest-operations.tsx'
import { Waiting } from './waiting.tsx'
import { Welcome } from './welcome.tsx'

/** Of a treasury in use: where a scrollbar takes room, it is there from the beginning. */
const SKELETON_HEIGHT = 960
const skeleton = <Skeleton height={SKELETON_HEIGHT} role="status" aria-label="Loading" />
const READS = Object.values(OVERVIEW)

type Wallet = Schema<'OperationalWallet'>

/** What the organization holds, what earns, and what waits for somebody; or what it held at the end of a day. */
export function Overview() {
  const day = useAsOf()
  const { organization } = useSession()
  return (
    <Page title="Overview" description={organization.name} actions={<AsOfField />}>
      {day === undefined ? <Now /> : <BalancesAt day={day} />}
    </Page>
  )
}

/** All of it at once: parts that arrive one by one would push each other down. */
function Now() {
  return useSettled(READS) ? <Parts /> : skeleton
}

function Parts() {
  const { environment } = useSession()
  const may = useMay()
  const stats = useApi<Schema<'WalletStats'>>(OVERVIEW.stats)
  const wallets = useApi<Wallet[]>(OVERVIEW.wallets)
  const short = useApi<Wallet[]>(OVERVIEW.short)
  const portfolio = useApi<Data<'listCoreAllocations'>>(OVERVIEW.portfolio)
  const awaiting = useApi<Data<'getOperationQueue'>>(OVERVIEW.awaiting)
  const executing = useApi<Data<'getOperationQueue'>>(OVERVIEW.executing)
  const unsigned = executing.data?.data.intents.filter((each) => waitsForAgent(each)).length ?? 0
  const { silence, isReading } = useSilence(unsigned > 0)
  const changes = useApi<Data<'listChangeRequests'>>(OVERVIEW.changes)
  const history = useApi<Data<'getOperationHistory'>>(OVERVIEW.history)
  const breakers = useBreakers()
  const totals = stats.data?.data
  const summary = portfolio.data?.data.portfolioSummary
  const isNew = environment === 'sandbox' && history.data?.data.total === 0 && totals?.monitoredWallets === 0
  const waiting = awaiting.data?.total ?? 0
  const changeCount = changes.data?.data.pagination.total ?? 0
  const reads = [stats, wallets, short, portfolio, awaiting, executing, changes, history, breakers]
  // Deferred, because the whole page in one task would hold up the first tap on a phone.
  const isLoading = useDeferredValue(isReading || reads.some(({ data, error }) => data === undefined && error === null))
  if (isLoading) return skeleton
  return (
    <InTurn rest={skeleton}>
      {isNew && may.administer && <Welcome />}
      <div className="stats">
        <Stat
          label="In all wallets, USD"
          value={<Money amount={totals?.totalBalance ?? null} />}
          note={totals ? <HeldNote totals={totals} /> : ' '}
        />
        <Stat
          label="Earning now, USD"
          value={<Money amount={summary?.totalValue ?? null} />}
          note={summary ? earningNote(summary, portfolio.data!.data.pagination.total) : ' '}
        />
        <Stat
          label="Yield earned, USD"
          value={<Money amount={totals?.yieldEarned ?? null} />}
          note="since the first deposit, with exits and closed positions"
        />
        <Stat
          label="Waiting for approval"
          value={awaiting.data && changes.data ? waiting + changeCount : '–'}
          note={
            <>
              <PageLink to="/app/operations" size="xs">
                Open the inbox
              </PageLink>
              {changeCount > 0 && (
                <>
                  {' · '}
                  <PageLink to="/app/changes" size="xs">
                    {counted(changeCount, 'change request')}
                  </PageLink>
                </>
              )}
            </>
          }
        />
      </div>
      {silence?.kind !== 'some' && (
        <SilentAgent silence={silence} waits={unsigned === 1 ? '1 operation waits' : `${unsigned} operations wait`} />
      )}
      <BreakerAlert breakers={(breakers.data?.data.breakers ?? []).filter(stops)} />
      <BelowBuffer wallets={short.data?.data ?? []} total={short.data?.total ?? 0} />
      <Waiting awaiting={awaiting} changes={changes} />
      <HeldWallets wallets={wallets} totals={totals} />
      <LatestOperations history={history} />
    </InTurn>
  )
}

/** The positions that the value is of: those that are being withdrawn are worth something until it has landed. */
function earningNote({ activeAllocations, averageAPY }: Schema<'PortfolioSummary'>, holding: number): string {
  const leaving = holding - activeAllocations
  return `${counted(holding, 'position')} at ${averageAPY}${leaving > 0 ? `, ${leaving} being withdrawn` : ''}`
}

const PARTS = [
  ['availableBalance', 'liquid'],
  ['reservedBalance', 'reserved'],
  ['deployedBalance', 'deployed'],
  ['exitingBalance', 'in exits'],
] as const

/** How many wallets, and what their money adds up from. */
function HeldNote({ totals }: { readonly totals: Schema<'WalletStats'> }) {
  const parts = PARTS.filter(([name]) => !isZero(totals[name] ?? '0'))
  return (
    <>
      {counted(totals.totalWallets, 'wallet')}, {totals.monitoredWallets} operational
      {parts.length > 1 &&
        parts.map(([name, word]) => (
          <div key={name}>
            <Money amount={totals[name] ?? '0'} /> {word}
          </div>
        ))}
    </>
  )
}
