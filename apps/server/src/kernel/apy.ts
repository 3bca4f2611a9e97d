import { DAY_MS, YEAR_MS } from './durations.ts'

/**
 * The one definition of an APY (docs/apy.md): what a deposit gains within 365 days at the same pace, gains included
 * again; a decimal fraction, negative after a loss. Every rate that Weir reads, measures, compares or shows comes from
 * here.
 */

const SECONDS_PER_YEAR = YEAR_MS / 1_000

/** A measured rate above 10,000% a year is a measurement error, and its powers overflow what JSON can hold. */
const APY_MAX = 100

/** The APY of a yearly rate that accrues every second. */
export function apyFromRate(rate: number): number {
  return bounded(Math.expm1(SECONDS_PER_YEAR * Math.log1p(rate / SECONDS_PER_YEAR)))
}

/**
 * The APY of a price or value that went from `from` to `to` in `seconds`. Both are compared as integers and only their
 * quotient is a float: a minute's growth is not lost in rounding.
 */
export function apyFromGrowth(from: bigint, to: bigint, seconds: number): number {
  if (from <= 0n || seconds <= 0) return 0
  return apyFromGain(Number(to - from) / Number(from), seconds * 1_000)
}

/** The APY of a gain, as a fraction of the principal, that took `ms`; 0 without elapsed time. */
export function apyFromGain(gain: number, ms: number): number {
  if (ms <= 0) return 0
  return bounded(Math.expm1(Math.log1p(Math.max(gain, -1)) * (YEAR_MS / ms)))
}

/** What a deposit gains in `days` at this APY, as a fraction of it: the inverse of `apyFromGain`. */
export function gainFromApy(apy: number, days: number): number {
  return Math.expm1(Math.log1p(Math.max(apy, -1)) * ((days * DAY_MS) / YEAR_MS))
}

export interface WeightedRate {
  readonly apy: number
  /** The value of the position, in a unit that the whole list shares. */
  readonly value: bigint
}

/** The APY of several positions: their mean, weighted by value; 0 without any value. */
export function averageApy(rates: readonly WeightedRate[]): number {
  const whole = rates.reduce((sum, { value }) => sum + value, 0n)
  if (whole === 0n) return 0
  return rates.reduce((sum, { apy, value }) => sum + apy * Number(value), 0) / Number(whole)
}

function bounded(apy: number): number {
  return Math.min(apy, APY_MAX)
}
