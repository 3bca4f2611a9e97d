import { type RawBuilder, sql } from 'kysely'
import type { Database, Tx } from '../database/index.ts'
import { BREAKER_FACTS_AGE_MAX_MS, FEED_AGE_MAX_MS } from '../kernel/index.ts'
import {
  CURRENT_VALUE,
  EXIT_PROTOCOLS,
  OWNERS_READINGS,
  payableTogether,
  type StoredReadings,
  storedReadings,
  VALUE_OF_READING,
} from '../venues/index.ts'
import type { BreakerFacts } from './judge-breaker.ts'

/** One strategy of the catalogue, as it looks to one organization. */
export interface StrategyFacts extends BreakerFacts {
  readonly organizationId: number
  readonly strategyId: number
  readonly strategyName: string
}

interface Row {
  organization_id: number
  id: number
  name: string
  price: bigint | null
  rates_at: Date | null
  price_at: Date | null
  peak: bigint | null
  token_price: bigint | null
  priced_at: Date | null
  token_read_at: Date | null
  code: string | null
  code_read_at: Date | null
  protocol: string
  params: Record<string, string>
  liquidity: bigint | null
  /** Of all positions, and of those whose withdrawable amount is read. */
  value: bigint
  read_value: bigint
  readings: StoredReadings | null
  /** When the oldest of these was read, by the clock of the chain; null: one of the positions was not. */
  oldest_at: Date | null
}

/** What the service read last about every strategy, for each of these organizations. One statement. */
export async function readBreakerFacts(
  db: Database | Tx,
  organizationIds: readonly number[],
  now: Date,
): Promise<StrategyFacts[]> {
  const { rows } = await selectFacts(organizationIds).execute(db)
  const isRecent = (at: Date | null) => at !== null && now.getTime() - at.getTime() <= BREAKER_FACTS_AGE_MAX_MS
  return rows.map((row) => {
    const isPriced = row.priced_at !== null && isRecent(row.token_read_at) && !isOld(row.priced_at, row.price_at)
    return {
      organizationId: row.organization_id,
      strategyId: row.id,
      strategyName: row.name,
      isFresh: isRecent(row.rates_at) && (row.code_read_at === null || isRecent(row.code_read_at)),
      price: row.price,
      peak: row.peak,
      tokenPrice: isPriced ? row.token_price : null,
      value: row.value,
      readValue: row.read_value,
      withdrawable: payableTogether(storedReadings(row.readings), row).possible,
      isLiquidityFresh: row.value === 0n || !isOldReading(row.oldest_at, row.price_at),
      code: row.code,
    }
  })
}

/** Both by the clock of the chain. */
const isOld = (pricedAt: Date, readAt: Date | null): boolean =>
  readAt !== null && readAt.getTime() - pricedAt.getTime() > FEED_AGE_MAX_MS

/** Both by the clock of the chain: the price is the fresher one. */
const isOldReading = (oldest: Date | null, priceAt: Date | null): boolean =>
  oldest === null || priceAt === null || priceAt.getTime() - oldest.getTime() > BREAKER_FACTS_AGE_MAX_MS

function selectFacts(organizationIds: readonly number[]): RawBuilder<Row> {
  return sql<Row>`
    with facts as (
      select s.id, s.name, s.protocol, s.params, s.liquidity, s.price, s.rates_at, s.price_at, t.price as token_price, t.priced_at,
        t.read_at as token_read_at, c.fingerprint as code, c.read_at as code_read_at,
        (select max(p.price) from strategy_prices p
          where p.strategy_id = s.id and p.read_at > s.price_at - interval '30 days') as peak
      from strategies s
      left join token_prices t on t.blockchain = s.blockchain and t.token_address = s.token_address
      left join strategy_code c on c.strategy_id = s.id
    ), own as (
      select organization_id, strategy_id, sum(settled) as value,
        coalesce(sum(value) filter (where withdrawable is not null), 0) as read_value, ${OWNERS_READINGS} as readings,
        case when bool_and(withdrawable is not null) then min(withdrawable_at) end as oldest_at
      from (
        -- An own deposit or withdrawal is in one of the two values first: only those of one reading make a share.
        select a.organization_id, a.strategy_id, a.withdrawable, a.withdrawable_at, ${CURRENT_VALUE} as settled,
          ${VALUE_OF_READING} as value
        from allocations a join strategies s on s.id = a.strategy_id
        where a.organization_id = any(${organizationIds}::bigint[]) and a.status <> 'CLOSED'
          and s.protocol <> all(${EXIT_PROTOCOLS}::text[])
      ) positions
      where settled > 0
      group by organization_id, strategy_id
    )
    select o.id as organization_id, f.*, coalesce(own.value, 0) as value, coalesce(own.read_value, 0) as read_value,
      own.readings, own.oldest_at
    from unnest(${organizationIds}::bigint[]) as o (id)
    cross join facts f
    left join own on own.organization_id = o.id and own.strategy_id = f.id
    order by o.id, f.id
  `
}
