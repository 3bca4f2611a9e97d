/** Amounts are text or bigint, never a number: a float would round what people sign for. */

/** Every token that the service lists has six decimals on every chain. */
const TOKEN_DECIMALS = 6

/** Base units as a decimal: `1234500000` becomes `1234.5`; at least two places, and no zero behind them. */
export function fromBaseUnits(units: string | bigint, decimals = TOKEN_DECIMALS): string {
  const value = BigInt(units)
  const digits = (value < 0n ? -value : value).toString().padStart(decimals + 1, '0')
  const whole = digits.slice(0, -decimals)
  const fraction = digits.slice(-decimals).replace(/0+$/, '').padEnd(2, '0')
  return `${value < 0n ? '-' : ''}${whole}.${fraction}`
}

/** A decimal as base units; `undefined` if it is no amount, or finer than the token. */
export function toBaseUnits(text: string, decimals = TOKEN_DECIMALS): bigint | undefined {
  const match = /^(\d{1,30})(?:\.(\d*))?$/.exec(text.trim().replaceAll(',', ''))
  const fraction = match?.[2] ?? ''
  if (match === null || fraction.length > decimals) return undefined
  return BigInt(match[1] + fraction.padEnd(decimals, '0'))
}

/** Groups the digits: `1234567.5` becomes `1,234,567.50`. */
export function grouped(decimal: string): string {
  const [whole = '0', fraction = ''] = decimal.split('.')
  const sign = whole.startsWith('-') ? '-' : ''
  const digits = whole.replace('-', '').replaceAll(/\B(?=(\d{3})+$)/g, ',')
  return `${sign}${digits}.${fraction.padEnd(2, '0')}`
}

/** Whether a decimal of the service is zero. */
export const isZero = (decimal: string): boolean => signedUnits(decimal) === 0n

/** The sum of decimals. */
export function sum(decimals: readonly string[]): string {
  return fromBaseUnits(decimals.reduce((total, each) => total + (signedUnits(each) ?? 0n), 0n))
}

export function signedUnits(decimal: string): bigint | undefined {
  const units = toBaseUnits(decimal.replace(/^-/, ''))
  return units === undefined ? undefined : decimal.startsWith('-') ? -units : units
}

/** A yearly rate as text: `0.0352` becomes `3.52%`. Rates are measurements, so a number is exact enough. */
export function rate(value: number | string | null): string {
  if (value === null) return '–'
  return typeof value === 'string' ? value : `${(value * 100).toFixed(2)}%`
}
