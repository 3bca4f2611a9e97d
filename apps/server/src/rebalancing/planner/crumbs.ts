import { CRUMB_PARTS } from '../../kernel/index.ts'

/** Whether an amount is too small to go before another one. Both in base units of one token. */
export const isCrumbOf = (amount: bigint, whole: bigint): boolean => amount * CRUMB_PARTS < whole

/** The same in a new array, by the amount with this name; equal ones keep their order. */
export function largestFirst<Key extends string, T extends { readonly [key in Key]: bigint }>(
  found: readonly T[],
  key: Key,
): T[] {
  return found.toSorted((a, b) => (a[key] === b[key] ? 0 : a[key] > b[key] ? -1 : 1))
}

/** What the largest of some moves transfers, in base units; 0 without any. */
export const largestOf = (moves: readonly { readonly worth: bigint }[]): bigint =>
  moves.reduce((largest, { worth }) => (worth > largest ? worth : largest), 0n)
