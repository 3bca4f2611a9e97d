/** The decimals of USDC. Those of finer amounts stand out, so that two of them do not widen every row. */
const MOST = 6

/** The decimals of an amount that the others of its column leave room for. */
export function placesOf(amount: string | null): number {
  const point = amount?.indexOf('.') ?? -1
  return amount === null || point < 0 ? 0 : Math.min(amount.length - point - 1, MOST)
}

/** Spaces as wide as figures in place of the decimals that an amount lacks. */
export const roomFor = (places: number, amount: string | null): string =>
  '\u2007'.repeat(Math.max(0, places - placesOf(amount)))
