export const SECONDS_PER_YEAR = 31_536_000

/** Above 10,000 % a year, a measured rate is a measurement error, and its powers overflow what JSON can hold. */
const APY_MAX = 100

/** The yearly yield of a rate that accrues every second; `rate` and the result are decimal fractions. */
export function apyFromRate(rate: number): number {
  return bounded(Math.expm1(SECONDS_PER_YEAR * Math.log1p(rate / SECONDS_PER_YEAR)))
}

/**
 * The yearly yield, with compounding, of a price that went from `from` to `to` in `seconds`, at the same pace; a
 * decimal fraction, negative after a loss. Prices are compared as integers and only their quotient is a float, so that
 * a minute's growth is not lost in rounding.
 */
export function apyFromGrowth(from: bigint, to: bigint, seconds: number): number {
  if (from <= 0n || seconds <= 0) return 0
  const growth = Number(to - from) / Number(from)
  return bounded(Math.expm1(Math.log1p(growth) * (SECONDS_PER_YEAR / seconds)))
}

function bounded(apy: number): number {
  return Math.min(apy, APY_MAX)
}
