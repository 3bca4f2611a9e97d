import { sql } from 'kysely'
import type { Database } from '../../database/index.ts'
import { type MeasuredYield, measuredYieldFrom, YIELD_PERIODS } from './strategy-history.ts'

/** A strategy as it was at the end of a day. Base units. */
export interface StrategyAt {
  readonly strategyId: number
  readonly name: string
  readonly venue: string
  readonly blockchain: string
  readonly token: string
  readonly tokenDecimals: number
  /** Up to the reading. */
  readonly yields: readonly MeasuredYield[]
  /** `null`: not recorded. */
  readonly tvl: bigint | null
  readonly liquidity: bigint | null
  /** By the chain's clock. */
  readonly readAt: Date
}

/**
 * The strategies at the end of a UTC day of their chains, `YYYY-MM-DD`. Kept is the first reading of each day, so that of
 * the next day is the one nearest to the end; strategies without it are missing. Yields are measured over calendar days:
 * a reading that came some seconds later than that of the day before does not make a day into two. One statement.
 */
export async function strategiesAtEndOf(db: Database, day: string): Promise<StrategyAt[]> {
  const { rows } = await sql<Row>`
    select s.id, s.name, v.name as venue, s.blockchain, s.token, s.token_decimals, e.tvl, e.liquidity,
      e.price, e.read_at as price_at, d.days, p.price as past_price, p.read_at as past_at
    from strategies s
    join venues v on v.id = s.venue_id
    join strategy_prices e on e.strategy_id = s.id and e.day = ${day}::date + 1
    cross join unnest(${[...YIELD_PERIODS]}::int[]) as d (days)
    left join lateral (
      select price, read_at from strategy_prices
      where strategy_id = s.id and day <= e.day - d.days
      order by day desc limit 1
    ) p on true
    order by s.id, d.days
  `.execute(db)
  return [...Map.groupBy(rows, ({ id }) => id).values()].map((own) => {
    const [first] = own
    return {
      strategyId: first!.id,
      name: first!.name,
      venue: first!.venue,
      blockchain: first!.blockchain,
      token: first!.token,
      tokenDecimals: first!.token_decimals,
      yields: own.map(measuredYieldFrom),
      tvl: first!.tvl,
      liquidity: first!.liquidity,
      readAt: first!.price_at,
    }
  })
}

interface Row {
  id: number
  name: string
  venue: string
  blockchain: string
  token: string
  token_decimals: number
  tvl: bigint | null
  liquidity: bigint | null
  price: bigint
  price_at: Date
  days: MeasuredYield['days']
  past_price: bigint | null
  past_at: Date | null
}
