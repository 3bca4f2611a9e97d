import { sql } from 'kysely'
import type { Database } from '../../database/index.ts'
import { addMilliseconds, apyFromGrowth, DAY_MS, FEED_AGE_MAX_MS } from '../../kernel/index.ts'
import type { Strategy } from '../port.ts'
import { venueFor } from '../venue-for.ts'
import { rewardApy } from './reward-yield.ts'

/** Over how many days yields are measured. */
export const YIELD_PERIODS = [1, 7, 30] as const

/** What a deposit really gained. */
export interface MeasuredYield {
  readonly days: (typeof YIELD_PERIODS)[number]
  /** As docs/apy.md defines it; `null`: no reading is old enough. */
  readonly apy: number | null
  /** What rewards in another token added, which `apy` does not contain; `null`: not known. */
  readonly rewardApy: number | null
  /** The reading that it is measured from, by the chain's clock. */
  readonly from: Date | null
}

/** The strategies' yields over each period up to their latest reading, from daily prices. One statement. */
export async function measuredYields(
  db: Database,
  strategyIds: readonly number[],
): Promise<ReadonlyMap<number, readonly MeasuredYield[]>> {
  const { rows } = await sql<RewardRow & { id: number }>`
    select s.id, d.days, s.price, s.price_at, p.price as past_price, p.read_at as past_at,
      s.reward_index, s.reward_accrues, s.reward_factor, p.reward_index as past_reward_index,
      r.price as reward_price, t.price as token_price
    from strategies s
    left join token_prices t on t.blockchain = s.blockchain and t.token_address = s.token_address
      and t.priced_at >= s.price_at - ${FEED_AGE}
    left join token_prices r on r.blockchain = s.blockchain and r.token_address = s.reward_token
      and r.priced_at >= s.price_at - ${FEED_AGE}
    cross join unnest(${[...YIELD_PERIODS]}::int[]) as d (days)
    left join lateral (
      select price, read_at, reward_index from strategy_prices
      where strategy_id = s.id and read_at <= s.price_at - make_interval(days => d.days)
      order by day desc limit 1
    ) p on true
    where s.id = any(${strategyIds}::bigint[])
    order by s.id, d.days
  `.execute(db)
  const byStrategy = Map.groupBy(rows, ({ id }) => id)
  return new Map([...byStrategy].map(([id, own]) => [id, own.map(withRewards)]))
}

/** An older price of a feed counts as unknown. Both by the clock of the chain. */
const FEED_AGE = sql`make_interval(secs => ${FEED_AGE_MAX_MS / 1_000})`

interface RewardRow extends YieldRow {
  reward_index: bigint | null
  reward_accrues: boolean | null
  reward_factor: bigint | null
  past_reward_index: bigint | null
  reward_price: bigint | null
  token_price: bigint | null
}

function withRewards(row: RewardRow): MeasuredYield {
  const measured = measuredYieldFrom(row)
  if (measured.from === null) return measured
  const growth = {
    pastPrice: row.past_price!,
    pastIndex: row.past_reward_index,
    index: row.reward_index,
    accrues: row.reward_accrues,
    factor: row.reward_factor,
    rewardPrice: row.reward_price,
    tokenPrice: row.token_price,
    seconds: (row.price_at!.getTime() - measured.from.getTime()) / 1_000,
  }
  return { ...measured, rewardApy: rewardApy(growth) }
}

interface YieldRow {
  days: MeasuredYield['days']
  price: bigint | null
  price_at: Date | null
  past_price: bigint | null
  past_at: Date | null
}

/** The yield from a past reading to a later one, without rewards. */
export function measuredYieldFrom({
  days,
  price,
  price_at: at,
  past_price: past,
  past_at: from,
}: YieldRow): MeasuredYield {
  if (price === null || at === null || past === null || from === null)
    return { days, apy: null, rewardApy: null, from: null }
  const apy = apyFromGrowth(past, price, (at.getTime() - from.getTime()) / 1_000)
  return { days, apy, rewardApy: null, from }
}

/** A pool as first read on one UTC day of its chain. Base units. */
export interface PoolDay {
  readonly day: string
  /** `null`: not recorded on that day. */
  readonly tvl: bigint | null
  readonly liquidity: bigint | null
  /** The share price, as a multiple of that of the first day of the history; `null`: that was zero. */
  readonly priceIndex: number | null
  /** What a deposit gained from this reading to that of the next entry, as docs/apy.md defines it; `null`: none yet. */
  readonly apy: number | null
}

/** The pool over the `days` before its latest reading, oldest first. */
export async function poolHistory(db: Database, strategy: Pick<Strategy, 'id'>, days: number): Promise<PoolDay[]> {
  const latest = await db.selectFrom('strategies').select('price_at').where('id', '=', strategy.id).executeTakeFirst()
  if (!latest?.price_at) return []
  const rows = await db
    .selectFrom('strategy_prices')
    .select(['day', 'tvl', 'liquidity', 'price', 'read_at'])
    .where('strategy_id', '=', strategy.id)
    .where('read_at', '>', addMilliseconds(latest.price_at, -days * DAY_MS))
    .orderBy('day')
    .execute()
  const first = rows[0]?.price ?? 0n
  return rows.map(({ day, tvl, liquidity, price, read_at: from }, index) => {
    const next = rows[index + 1]
    const priceIndex = first === 0n ? null : Number(price) / Number(first)
    const seconds = next ? (next.read_at.getTime() - from.getTime()) / 1_000 : 0
    const apy = next && price > 0n ? apyFromGrowth(price, next.price, seconds) : null
    return { day, tvl, liquidity, priceIndex, apy }
  })
}

/**
 * Whether a limit on liquidity can count for a strategy: one that was never read may report it, an ERC-4626 vault may
 * not, and exits pay nothing at once.
 */
export function mayReportLiquidity(strategy: Pick<Strategy, 'protocol' | 'tvl' | 'liquidity'>): boolean {
  return knowsLiquidity(strategy) || (strategy.tvl === null && venueFor(strategy.protocol).exits === undefined)
}

/** Whether `liquidity` is what all depositors together could withdraw at once. */
export const knowsLiquidity = ({ protocol, liquidity }: Pick<Strategy, 'protocol' | 'liquidity'>): boolean =>
  venueFor(protocol).exits === undefined && liquidity !== null

/** Protocols whose missing tokens may be held back, or not minted yet, but are not lent out. */
const NOT_LENT: readonly (string | undefined)[] = ['fluid', 'held']

/** The share of a pool that is lent out, 0 to 1. `null`: not read, or unknown. */
export function utilizationOf(strategy: Pick<Strategy, 'protocol' | 'params' | 'tvl' | 'liquidity'>) {
  const { protocol, params, tvl, liquidity } = strategy
  if (venueFor(protocol).exits !== undefined || NOT_LENT.includes(params.cash)) return null
  if (tvl === null || liquidity === null || tvl === 0n) return null
  return Math.min(Math.max(1 - Number(liquidity) / Number(tvl), 0), 1)
}
