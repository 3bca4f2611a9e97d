import { type RawBuilder, sql } from 'kysely'

/**
 * The value of an allocation `a` at the price of its strategy `s` that was read last, in base units, where that is later
 * than its last posting. A value is shares times a price in every protocol, so this differs from the protocol's own
 * rounding by at most two units. For sums over many positions; what people see is valued position by position.
 */
export const CURRENT_VALUE: RawBuilder<bigint> = sql`case when s.price_at >= a.posted_at and a.posted_price > 0
  then div(a.posted_value * s.price, a.posted_price) else a.posted_value end`
