import { sql } from 'kysely'
import type { Chains } from '../../chains/index.ts'
import type { Database, Tx } from '../../database/index.ts'
import { averageApy, toSumUnits, type WeightedRate } from '../../kernel/index.ts'
import { addReadings, payableTogether, readingsOf } from '../../venues/index.ts'
import { type OperationalWallet, requireConfiguredToken } from '../../wallets/index.ts'
import { positionPages } from '../positions/position-pages.ts'
import { type PostedPosition, presentValue } from '../positions/present-value.ts'
import { withdrawableOf } from '../positions/withdrawable.ts'

/** Sums over tokens (see kernel `SUM_DECIMALS`), for one token symbol or for all. */
export interface TokenTotals {
  readonly total: bigint
  readonly available: bigint
  readonly reserved: bigint
  /** Requested back from strategies and not claimed. */
  readonly exiting: bigint
  /** Current value of the open positions. */
  readonly allocated: bigint
  /** What could certainly be withdrawn of it at the last readings; positions without a reading count as 0. */
  readonly withdrawable: bigint
  /** Realized and unrealized since the start. */
  readonly yield: bigint
  /** The rate of the open positions, weighted by value; a decimal fraction. */
  readonly apy: number
}

export interface YieldStatistics {
  readonly all: TokenTotals
  readonly byToken: readonly (TokenTotals & { readonly token: string })[]
  readonly byVenue: readonly { name: string; protocol: string; count: number; value: bigint }[]
  readonly openPositions: number
  /** When the first operational wallet was added, or this one. */
  readonly inceptionDate: Date | null
}

/**
 * The totals and earnings of an organization, or of one of its operational wallets, by token and by venue (spec 2.2 and
 * 4.9). The ledger holds the yield up to the last posting; the latest price adds the difference between the current and
 * the posted value of the positions.
 */
export async function yieldStatistics(
  { db, chains }: { db: Database; chains: Chains },
  organizationId: number,
  of: OperationalWallet | undefined,
): Promise<YieldStatistics> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (tx) => {
      const tokens = new Map<string, RunningTotals>()
      for (const row of await balancesOf(tx, organizationId, of)) {
        const { symbol, decimals } = requireConfiguredToken(chains, row.blockchain, row.token_address)
        const sums = sumsOf(tokens, symbol)
        sums.available += toSumUnits(row.available, decimals)
        sums.reserved += toSumUnits(row.reserved, decimals)
        sums.exiting += toSumUnits(row.exiting, decimals)
        sums.total += toSumUnits(row.available + row.reserved + row.exiting, decimals)
        sums.yield += toSumUnits(row.earned, decimals)
      }
      const venues = new Map<string, { name: string; protocol: string; count: number; value: bigint }>()
      let openPositions = 0
      for (const { strategy, count, value, yield: earned, alone } of await strategiesOf(tx, organizationId, of)) {
        const sums = sumsOf(tokens, strategy.token)
        sums.allocated += value
        sums.total += value
        sums.yield += earned
        sums.rates.push({ apy: strategy.apy, value })
        const { certain } = payableTogether(alone, strategy)
        sums.withdrawable += toSumUnits(certain, strategy.token_decimals)
        const key = `${strategy.venue_name}\n${strategy.protocol}`
        const venue = venues.get(key) ?? { name: strategy.venue_name, protocol: strategy.protocol, count: 0, value: 0n }
        venues.set(key, { ...venue, count: venue.count + count, value: venue.value + value })
        openPositions += count
      }
      const all = [...tokens.values()].reduce(addTotals, { ...ZERO_TOTALS })
      const byToken = [...tokens].map(([token, sums]) => ({ token, ...toTokenTotals(sums) }))
      return {
        all: toTokenTotals(all),
        byToken: byToken.filter((sums) => sums.total !== 0n || sums.yield !== 0n),
        byVenue: [...venues.values()].sort((a, b) => (a.value < b.value ? 1 : -1)),
        openPositions,
        inceptionDate: of?.createdAt ?? (await firstOperationalWalletAt(tx, organizationId)),
      }
    })
}

type PositionRow = Awaited<ReturnType<typeof positionsOf>>[number]

/** The open positions in one strategy. */
interface StrategySums {
  readonly strategy: PositionRow
  count: number
  /** Sums over tokens. */
  value: bigint
  yield: bigint
  alone: ReturnType<typeof readingsOf>
}

async function strategiesOf(tx: Tx, organizationId: number, of: OperationalWallet | undefined) {
  const strategies = new Map<number, StrategySums>()
  const read = (after: number, limit: number) => positionsOf(tx, organizationId, { of, after, limit })
  for await (const page of positionPages(read)) {
    for (const [strategyId, own] of Map.groupBy(page, (row) => row.strategy_id)) {
      const empty = { strategy: own[0]!, count: 0, value: 0n, yield: 0n, alone: readingsOf([]) }
      const sums: StrategySums = strategies.get(strategyId) ?? empty
      strategies.set(strategyId, sums)
      sums.count += own.length
      sums.alone = addReadings(sums.alone, readingsOf(own.flatMap(readingOf)))
      for (const row of own) {
        const { value } = presentValue(row)
        sums.value += toSumUnits(value, row.token_decimals)
        sums.yield += toSumUnits(value - row.posted_value, row.token_decimals)
      }
    }
  }
  return strategies.values()
}

/** What the position could withdraw alone, if that is read. */
function readingOf(row: PostedPosition & Parameters<typeof withdrawableOf>[0]) {
  const { value } = presentValue(row)
  const withdrawable = withdrawableOf(row, value)
  return withdrawable ? [{ value, withdrawable: withdrawable.amount }] : []
}

interface RunningTotals {
  total: bigint
  available: bigint
  reserved: bigint
  exiting: bigint
  allocated: bigint
  withdrawable: bigint
  yield: bigint
  rates: WeightedRate[]
}
const ZERO_TOTALS: RunningTotals = {
  total: 0n,
  available: 0n,
  reserved: 0n,
  exiting: 0n,
  allocated: 0n,
  withdrawable: 0n,
  yield: 0n,
  rates: [],
}

function sumsOf(tokens: Map<string, RunningTotals>, token: string): RunningTotals {
  const sums = tokens.get(token) ?? { ...ZERO_TOTALS, rates: [] }
  tokens.set(token, sums)
  return sums
}

const addTotals = (a: RunningTotals, b: RunningTotals): RunningTotals => ({
  total: a.total + b.total,
  available: a.available + b.available,
  reserved: a.reserved + b.reserved,
  exiting: a.exiting + b.exiting,
  allocated: a.allocated + b.allocated,
  withdrawable: a.withdrawable + b.withdrawable,
  yield: a.yield + b.yield,
  rates: [...a.rates, ...b.rates],
})

const toTokenTotals = ({ rates, ...sums }: RunningTotals): TokenTotals => ({
  ...sums,
  apy: averageApy(rates),
})

function balancesOf(tx: Tx, organizationId: number, of: OperationalWallet | undefined) {
  let query = tx
    .selectFrom('ledger_balances')
    .innerJoin('wallets', (join) =>
      join
        .onRef('wallets.organization_id', '=', 'ledger_balances.organization_id')
        .onRef('wallets.id', '=', 'ledger_balances.wallet_id'),
    )
    .select(['wallets.blockchain', 'ledger_balances.token_address'])
    .select([
      sql<bigint>`sum(ledger_balances.available)`.as('available'),
      sql<bigint>`sum(ledger_balances.reserved)`.as('reserved'),
      sql<bigint>`sum(ledger_balances.exiting)`.as('exiting'),
      sql<bigint>`-sum(ledger_balances.yield)`.as('earned'),
    ])
    .where('ledger_balances.organization_id', '=', organizationId)
    .groupBy(['wallets.blockchain', 'ledger_balances.token_address'])
  if (of) {
    query = query
      .where('ledger_balances.wallet_id', '=', of.walletId)
      .where('ledger_balances.token_address', '=', of.tokenAddress)
  }
  return query.execute()
}

interface PageOfPositions {
  readonly of: OperationalWallet | undefined
  readonly after: number
  readonly limit: number
}

function positionsOf(tx: Tx, organizationId: number, { of, after, limit }: PageOfPositions) {
  let query = tx
    .selectFrom('allocations')
    .innerJoin('strategies', 'strategies.id', 'allocations.strategy_id')
    .innerJoin('venues', 'venues.id', 'strategies.venue_id')
    .select([
      'allocations.id',
      'allocations.shares',
      'allocations.posted_price',
      'allocations.posted_at',
      'allocations.posted_value',
      'allocations.withdrawable',
      'allocations.withdrawable_at',
      'strategies.id as strategy_id',
      'strategies.protocol',
      'strategies.params',
      'strategies.liquidity',
      'strategies.price',
      'strategies.price_at',
      'strategies.token',
      'strategies.token_decimals',
      'strategies.apy',
      'venues.name as venue_name',
    ])
    .where('allocations.organization_id', '=', organizationId)
    .where('allocations.status', 'in', ['ACTIVE', 'UNWINDING'])
    .where('allocations.id', '>', after)
    .orderBy('allocations.id')
    .limit(limit)
  if (of) {
    query = query
      .where('allocations.wallet_id', '=', of.walletId)
      .where('strategies.token_address', '=', of.tokenAddress)
  }
  return query.execute()
}

async function firstOperationalWalletAt(tx: Tx, organizationId: number): Promise<Date | null> {
  const first = await tx
    .selectFrom('operational_wallets')
    .select('created_at')
    .where('organization_id', '=', organizationId)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return first?.created_at ?? null
}
