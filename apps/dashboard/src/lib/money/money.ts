/** Amounts are text or bigint, never a number: a float would round what people sign for. */

/** Fine enough for every token: amounts of different tokens are compared and summed in units of it. */
const SCALE = 18

/** Base units as a decimal: `1234500000` of six decimals becomes `1234.5`; at least two places, and no zero behind them. */
export function fromBaseUnits(units: string | bigint, decimals: number): string {
  const value = BigInt(units)
  const digits = (value < 0n ? -value : value).toString().padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = digits
    .slice(digits.length - decimals)
    .replace(/0+$/, '')
    .padEnd(2, '0')
  return `${value < 0n ? '-' : ''}${whole}.${fraction}`
}

/**
 * What somebody typed, as the service takes it: without the commas between thousands that the pages write. Any other
 * comma stays: `1,5` is no amount, and above all not 15.
 */
export function plain(text: string): string {
  const trimmed = text.trim()
  return /^\d{1,3}(?:,\d{3})+(?:\.\d*)?$/.test(trimmed) ? trimmed.replaceAll(',', '') : trimmed
}

/** A decimal as base units; `undefined` if it is no amount, or finer than the token. */
export function toBaseUnits(text: string, decimals: number): bigint | undefined {
  const match = /^(\d{1,30})(?:\.(\d*))?$/.exec(plain(text))
  const fraction = match?.[2] ?? ''
  if (match === null || fraction.length > decimals) return undefined
  return BigInt(match[1] + fraction.padEnd(decimals, '0'))
}

/** Whether a text is an amount, and no finer than a token with this many decimals. */
export const isAmount = (text: string, decimals: number): boolean => toBaseUnits(text, decimals) !== undefined

/** Whether two texts are the same amount, however they are written; what is no amount equals none. */
export function isSameAmount(one: string, other: string, decimals: number): boolean {
  const units = toBaseUnits(one, decimals)
  return units !== undefined && units === toBaseUnits(other, decimals)
}

/** Groups the digits: `1234567.5` becomes `1,234,567.50`. */
export function grouped(decimal: string): string {
  const [whole = '0', fraction = ''] = decimal.split('.')
  const sign = whole.startsWith('-') ? '-' : ''
  const digits = whole.replace('-', '').replaceAll(/\B(?=(\d{3})+$)/g, ',')
  return `${sign}${digits}.${fraction.padEnd(2, '0')}`
}

/** Whether a decimal of the service is zero. */
export const isZero = (decimal: string): boolean => unitsOf(decimal) === 0n

/** The sum of decimals. */
export const sum = (decimals: readonly string[]): string =>
  fromBaseUnits(
    decimals.reduce((total, each) => total + unitsOf(each), 0n),
    SCALE,
  )

/** What one decimal of the service is more than another. */
export const difference = (of: string, less: string): string => fromBaseUnits(unitsOf(of) - unitsOf(less), SCALE)

/** A decimal of the service in units that all tokens share. */
function unitsOf(decimal: string): bigint {
  const units = toBaseUnits(decimal.replace(/^-/, ''), SCALE)
  if (units === undefined) throw new Error(`not a decimal: ${decimal}`)
  return decimal.startsWith('-') ? -units : units
}

/** This many hundredths of an amount of the service, rounded down to cents. */
export function hundredths(decimal: string, count: number): string {
  const cent = 10n ** BigInt(SCALE - 2)
  return fromBaseUnits(((unitsOf(decimal) * BigInt(count)) / 100n / cent) * cent, SCALE)
}

/** How many hundredths of an amount of the service a decimal is, at most 100; 0 of nothing, and of what is no amount. */
export function shareOf(decimal: string, whole: string): number {
  const part = toBaseUnits(decimal, SCALE) ?? 0n
  const total = unitsOf(whole)
  if (total <= 0n) return 0
  return part >= total ? 100 : Number((part * 100n) / total)
}

/** A yearly rate as text: `0.0352` becomes `3.52%`. Rates are measurements, so a number is exact enough. */
export function rate(value: number | string | null): string {
  if (value === null) return '–'
  if (typeof value === 'string') return value
  // What is rounded to zero has no sign.
  return `${(value * 100).toFixed(2).replace(/^-(?=0\.00$)/, '')}%`
}

/** A part of a whole in percent, cut to two places: `0.53%`; a dash without a whole. */
export function ratio(part: bigint, whole: bigint): string {
  if (whole === 0n) return '–'
  return `${fromBaseUnits((part * 10_000n) / whole, 2)}%`
}
