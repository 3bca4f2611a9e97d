import { mulDivDown, mulDivUp } from '../../kernel/index.ts'

/** What an index of 1 is written as. An index only grows. */
export const INDEX_SCALE = 10n ** 15n
const FACTOR_SCALE = 10n ** 18n

/** What a principal is worth at an index, rounded down as `balanceOf` and a full withdrawal do. */
export function presentValue(principal: bigint, index: bigint): bigint {
  return mulDivDown(principal, index, INDEX_SCALE)
}

/**
 * The change of a principal in a Transfer event, which has the value of the change, rounded down. Exact: one more unit
 * of principal is worth at least one more, because an index is never below 1.
 */
export function principalOf(worth: bigint, index: bigint): bigint {
  return mulDivUp(worth, INDEX_SCALE, index)
}

/** The index that Comet writes when it accrues: `elapsed` seconds after the stored one, at this rate a second. */
export function accruedIndex(stored: bigint, rate: bigint, elapsed: bigint): bigint {
  return stored + mulDivDown(stored, rate * elapsed, FACTOR_SCALE)
}
