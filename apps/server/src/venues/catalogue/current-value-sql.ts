import { type RawBuilder, sql } from 'kysely'

/**
 * The value of an allocation `a` at the price of its strategy `s` that was read last, in base units, where that is later
 * than its last posting. A value is shares times a price in every protocol, so this differs from the protocol's own
 * rounding by at most two units. For sums over many positions; what people see is valued position by position.
 */
export const CURRENT_VALUE: RawBuilder<bigint> = sql`case when s.price_at >= a.posted_at and a.posted_price > 0
  then div(a.posted_value * s.price, a.posted_price) else a.posted_value end`

/**
 * What an allocation `a` was worth when its `withdrawable` was read, in base units; its current value where nobody kept
 * that: a process of an earlier version leaves the value of a reading of its own as it was.
 */
export const VALUE_OF_READING: RawBuilder<bigint> = sql`case when a.withdrawable_of_at = a.withdrawable_at
  then coalesce(a.withdrawable_of, ${CURRENT_VALUE}) else ${CURRENT_VALUE} end`
