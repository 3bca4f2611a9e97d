import { sql } from 'kysely'
import type { Database } from '../../database/index.ts'
import type { Scope } from '../../identity/index.ts'
import { type Clock, DAY_MS, utcDay } from '../../kernel/index.ts'
import { selectWallets, type WalletFilter } from '../../wallets/index.ts'
import { presentValue } from '../positions/present-value.ts'
import { computeEarnings, type EarningsHistory, type YieldReading } from './compute-earnings.ts'
import { readYieldSnapshots } from './read-yield-snapshots.ts'

export interface EarningsFilter {
  readonly wallets: WalletFilter
  readonly blockchain: string
  /** In the catalogue's spelling. */
  readonly token: string
  /** Length of the period in days, including today. */
  readonly days: number
}

export interface Earnings extends EarningsHistory {
  /** Addresses that match the identifier within the scope. */
  readonly addresses: readonly string[]
  /** First and last day of the period, by the chain's clock. */
  readonly periodStart: string
  readonly periodEnd: string
  /** When the first of these positions was opened, even before the period; `null` without any. */
  readonly firstActivity: string | null
  readonly tokenDecimals: number
}

/** For a token that was never deposited here, every amount is zero. */
const DEFAULT_DECIMALS = 6

/**
 * What positions of these wallets earned, both open and closed (contract 6): for each day from its snapshot, and up to
 * now from the latest reading. The last reading of a closed position is the one at its close. Two statements.
 */
export async function getEarnings(
  parts: { db: Database; clock: Clock },
  scope: Scope,
  filter: EarningsFilter,
): Promise<Earnings> {
  const rows = await positionsOf(parts.db, scope, filter)
  const positions = rows.flatMap((row) => (row.allocation_id === null ? [] : [row as PositionRow]))
  const current = positions.map(currentReading)
  const chainDay = utcDay(rows[0]?.final_time ?? parts.clock.now())
  const periodEnd = [chainDay, ...current.map(({ day }) => day)].reduce((a, b) => (a > b ? a : b))
  const periodStart = utcDay(new Date(Date.parse(periodEnd) - (filter.days - 1) * DAY_MS))
  const names = new Map(current.map((reading) => [reading.allocationId, reading]))
  const snapshots = await readYieldSnapshots(parts.db, scope.organizationId, [...names.keys()], periodStart)
  const readings = [...snapshots.map((snapshot) => ({ ...names.get(snapshot.allocationId)!, ...snapshot })), ...current]
  return {
    // The sort is stable: a day's snapshot stays before a later reading of the same day.
    ...computeEarnings(
      readings.sort((a, b) => (a.day < b.day ? -1 : Number(a.day > b.day))),
      periodStart,
    ),
    addresses: [...new Set(rows.flatMap(({ address }) => address ?? []))],
    periodStart,
    periodEnd,
    firstActivity: positions.reduce<string | null>((first, { opened_at }) => {
      const day = utcDay(opened_at)
      return first === null || day < first ? day : first
    }, null),
    tokenDecimals: positions[0]?.token_decimals ?? DEFAULT_DECIMALS,
  }
}

/** The chain's clock with every matching wallet and its positions; at least one row. */
function positionsOf(db: Database, scope: Scope, { wallets, blockchain, token }: EarningsFilter) {
  const clock = sql<{ final_time: Date | null }>`(
    select (select final_time from chain_cursors where blockchain = ${blockchain}) as final_time
  )`
  const named = selectWallets(db, scope, wallets).select(['wallets.id', 'wallets.address'])
  const held = db
    .selectFrom('allocations')
    .innerJoin('strategies', 'strategies.id', 'allocations.strategy_id')
    .innerJoin('venues', 'venues.id', 'strategies.venue_id')
    .where('allocations.organization_id', '=', scope.organizationId)
    .where('strategies.blockchain', '=', blockchain)
    .where('strategies.token', '=', token)
    .select([
      'allocations.id as allocation_id',
      'allocations.wallet_id',
      'allocations.status',
      'allocations.shares',
      'allocations.principal',
      'allocations.realized_yield',
      'allocations.posted_price',
      'allocations.posted_value',
      'allocations.posted_at',
      'allocations.opened_at',
      'strategies.protocol',
      'strategies.price',
      'strategies.price_at',
      'strategies.token_decimals',
      'venues.id as venue_id',
      'venues.name as venue_name',
    ])
  return db
    .selectFrom(clock.as('clock'))
    .leftJoin(named.as('named'), (join) => join.onTrue())
    .leftJoin(held.as('held'), (join) => join.onRef('held.wallet_id', '=', 'named.id'))
    .selectAll('held')
    .select(['clock.final_time', 'named.address'])
    .execute()
}

interface PositionRow {
  allocation_id: number
  status: 'ACTIVE' | 'UNWINDING' | 'CLOSED'
  shares: bigint
  principal: bigint
  realized_yield: bigint
  posted_price: bigint
  posted_value: bigint
  posted_at: Date
  opened_at: Date
  protocol: string
  price: bigint | null
  price_at: Date | null
  token_decimals: number
  venue_id: number
  venue_name: string
}

function currentReading(row: PositionRow): YieldReading {
  const { value, at } = row.status === 'CLOSED' ? { value: 0n, at: row.posted_at } : presentValue(row)
  return {
    allocationId: row.allocation_id,
    venueId: row.venue_id,
    venueName: row.venue_name,
    day: utcDay(at),
    value,
    cumulative: row.realized_yield + value - row.principal,
  }
}
