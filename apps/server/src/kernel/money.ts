import { Failure } from './errors.ts'

/**
 * Inside the service, money is a `bigint` of base units; it is text only at the edges, and never a float.
 *
 * Two text formats exist (spec 2.1): the v1 surface writes base units ("1500000"), the core surface writes decimals
 * ("1.50"). Both are parsed and written by the functions of this file, which surfaces call and rooms do not: a room
 * takes base units, or {@link Parsed} ones, and reports amounts in error details as {@link Money}.
 */

/** The largest value of an EVM word; no served chain can hold a larger amount. */
export const MAX_BASE_UNITS = 2n ** 256n - 1n

/**
 * Digits only: no sign, exponent or spaces. Leading zeros, however many, and zero itself are accepted. `undefined` when
 * malformed.
 */
export function parseBaseUnits(text: string): bigint | undefined {
  if (!/^[0-9]+$/.test(text)) return undefined
  const digits = text.replace(/^0+/, '')
  // Reading digits takes longer than linear time: only as many as an amount can have are read.
  if (digits.length > MAX_BASE_UNITS.toString().length) return undefined
  const value = BigInt(digits)
  return value > MAX_BASE_UNITS ? undefined : value
}

/**
 * Decimal text ("900", "900.00", "0.01") as base units; `undefined` when malformed, too fine for the token or too
 * large.
 */
export function parseDecimal(text: string, decimals: number): bigint | undefined {
  const match = /^([0-9]+)(?:\.([0-9]+))?$/.exec(text)
  if (!match) return undefined
  const [, whole = '', fraction = ''] = match
  // Two digits are always written, so two are always accepted: for a token with fewer decimals they must be zeros.
  if (fraction.length > Math.max(2, decimals) || /[^0]/.test(fraction.slice(decimals))) return undefined
  return parseBaseUnits(whole + fraction.slice(0, decimals).padEnd(decimals, '0'))
}

/** Base units as decimal text with at least two digits after the point, at most the token's decimals (contract 1). */
export function formatDecimal(amount: bigint, decimals: number): string {
  const sign = amount < 0n ? '-' : ''
  const digits = (amount < 0n ? -amount : amount).toString().padStart(decimals + 1, '0')
  const whole = decimals === 0 ? digits : digits.slice(0, -decimals)
  const fraction = decimals === 0 ? '' : digits.slice(-decimals)
  const minDigits = Math.min(2, decimals)
  const shown = fraction.slice(0, minDigits) + fraction.slice(minDigits).replace(/0+$/, '')
  return `${sign}${whole}.${shown.padEnd(2, '0')}`
}

/** Base units of a stablecoin as USD with two decimals, rounded towards zero; every stablecoin counts as 1.00 USD. */
export function formatUsd(amount: bigint, decimals: number): string {
  const cents = decimals >= 2 ? amount / 10n ** BigInt(decimals - 2) : amount * 10n ** BigInt(2 - decimals)
  return formatDecimal(cents, 2)
}

/** Decimals of a sum over several tokens; no token served here is finer. */
export const SUM_DECIMALS = 18

/** Base units of a token in the unit of sums over tokens: every stablecoin counts as 1.00 USD (spec 2.1). */
export function toSumUnits(amount: bigint, decimals: number): bigint {
  return amount * 10n ** BigInt(SUM_DECIMALS - decimals)
}

/** `a * b / divisor`, rounded down for non-negative operands. The divisor must be positive. */
export function mulDivDown(a: bigint, b: bigint, divisor: bigint): bigint {
  return (a * b) / divisor
}

/** `a * b / divisor`, rounded up for non-negative operands. The divisor must be positive. */
export function mulDivUp(a: bigint, b: bigint, divisor: bigint): bigint {
  return (a * b + divisor - 1n) / divisor
}

/** The smaller of two amounts. */
export function minAmount(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}

/** The larger of two amounts. */
export function maxAmount(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}

/** An amount with its token's decimals. In the details of a failure, each surface writes it in its own format. */
export class Money {
  readonly baseUnits: bigint
  readonly decimals: number

  constructor(baseUnits: bigint, decimals: number) {
    this.baseUnits = baseUnits
    this.decimals = decimals
  }

  /** Base units as digits, for logs. */
  toJSON(): string {
    return this.baseUnits.toString()
  }
}

/**
 * What a surface parsed, or the failure that refuses its text. The surface parses before it calls the verb; the verb
 * throws the failure where the field's turn comes in the order of its checks (contract 4).
 */
export type Parsed<T> = T | Failure

/** The parsed value. Error: the failure in its place. */
export function accept<T>(parsed: Parsed<T>): T {
  if (parsed instanceof Failure) throw parsed
  return parsed
}

/** The same for an amount that must be above zero. Error: INVALID_AMOUNT for zero and less. */
export function acceptPositive(parsed: Parsed<bigint>): bigint {
  const amount = accept(parsed)
  if (amount <= 0n) throw new Failure('INVALID_AMOUNT')
  return amount
}
