/** Digits that are computed below a hundredth of a percent, before it is rounded. */
const GUARD = 10n ** 6n

/**
 * The APY of what grew from `from` to `to` within `days` (docs/apy.md), as text: "3.51%". In integers throughout:
 * (to / from) ^ (365 / days) is the root of degree `days` of a quotient of powers.
 */
export function apyOfGrowth(from: bigint, to: bigint, days: number): string {
  const degree = BigInt(days)
  const scale = 10_000n * GUARD
  const grown = rootOf((to ** 365n * scale ** degree) / from ** 365n, degree)
  const percent = ((grown - scale) * 2n + GUARD) / (GUARD * 2n)
  const digits = percent.toString().padStart(3, '0')
  return `${digits.slice(0, -2)}.${digits.slice(-2)}%`
}

/** The largest integer whose power is not above `value`. */
function rootOf(value: bigint, degree: bigint): bigint {
  let low = 0n
  let high = 1n
  while (high ** degree <= value) high *= 2n
  while (high - low > 1n) {
    const middle = (low + high) / 2n
    if (middle ** degree <= value) low = middle
    else high = middle
  }
  return low
}
