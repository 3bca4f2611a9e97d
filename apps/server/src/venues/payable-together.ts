import { type RawBuilder, sql } from 'kysely'
import { maxAmount, minAmount } from '../kernel/index.ts'
import { knowsLiquidity } from './facts/strategy-history.ts'
import type { Strategy } from './port.ts'

/** What the owners of several positions in one strategy could withdraw, each alone. Base units. */
export interface OwnersReadings {
  readonly owners: number
  readonly sum: bigint
  readonly largest: bigint
  /** The most that an owner could withdraw who cannot withdraw everything; `null`: each could. */
  readonly limit: bigint | null
}

export interface PayableTogether {
  /** What they can withdraw together for certain. */
  readonly certain: bigint
  /** At most this much, as far as the readings show. */
  readonly possible: bigint
}

/** Interest since the reading makes no limit: all but a hundredth of the value counts as all of it. */
const WHOLE_PERCENT = 99n

export const isAllOf = (value: bigint, withdrawable: bigint): boolean => withdrawable * 100n >= value * WHOLE_PERCENT

/** Of positions whose withdrawable amount is read. Pure. */
export function readingsOf(
  positions: readonly { readonly value: bigint; readonly withdrawable: bigint }[],
): OwnersReadings {
  const alone = positions.map(({ value, withdrawable }) => minAmount(withdrawable, value))
  const limited = positions.filter(({ value, withdrawable }) => !isAllOf(value, withdrawable))
  return {
    owners: alone.length,
    sum: alone.reduce((sum, amount) => sum + amount, 0n),
    largest: alone.reduce(maxAmount, 0n),
    limit: limited.length === 0 ? null : limited.map(({ withdrawable }) => withdrawable).reduce(maxAmount, 0n),
  }
}

/** Of the positions of both. Pure. */
export function addReadings(a: OwnersReadings, b: OwnersReadings): OwnersReadings {
  return {
    owners: a.owners + b.owners,
    sum: a.sum + b.sum,
    largest: maxAmount(a.largest, b.largest),
    limit: a.limit === null || b.limit === null ? (a.limit ?? b.limit) : maxAmount(a.limit, b.limit),
  }
}

/** SQL: the same over rows that have `withdrawable` and `value`; those without a reading are left out. */
export const OWNERS_READINGS: RawBuilder<OwnersReadings> = sql`jsonb_build_object(
  'owners', count(withdrawable),
  'sum', coalesce(sum(least(withdrawable, value)) filter (where withdrawable is not null), 0)::text,
  'largest', coalesce(max(least(withdrawable, value)) filter (where withdrawable is not null), 0)::text,
  'limit', (max(withdrawable) filter (where withdrawable * 100 < value * ${Number(WHOLE_PERCENT)}))::text)`

/** As {@link OWNERS_READINGS} returns it; `null`: no row. */
export interface StoredReadings {
  readonly owners: number
  readonly sum: string
  readonly largest: string
  readonly limit: string | null
}

export function storedReadings(stored: StoredReadings | null): OwnersReadings {
  if (!stored) return { owners: 0, sum: 0n, largest: 0n, limit: null }
  const { owners, sum, largest, limit } = stored
  return { owners, sum: BigInt(sum), largest: BigInt(largest), limit: limit === null ? null : BigInt(limit) }
}

/**
 * What several owners in one strategy can withdraw. Each reading counts the same liquidity, so their sum may be too much.
 * Where a strategy reports its liquidity, that is the limit. Another can pay at least the largest of the readings; and where
 * one owner's part is limited and no other could withdraw more, that limit is the vault's. Pure.
 */
export function payableTogether(
  { owners, sum, largest, limit }: OwnersReadings,
  strategy: Pick<Strategy, 'protocol' | 'liquidity'>,
): PayableTogether {
  if (owners <= 1) return { certain: sum, possible: sum }
  const held = minAmount(sum, strategy.liquidity ?? 0n)
  if (knowsLiquidity(strategy)) return { certain: held, possible: held }
  const certain = maxAmount(held, largest)
  const isLimitOfAll = limit !== null && limit >= largest
  return { certain, possible: isLimitOfAll ? certain : sum }
}
