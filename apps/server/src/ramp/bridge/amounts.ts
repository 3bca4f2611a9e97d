import { assert } from '../../kernel/index.ts'
import { splitCents } from '../pricing/fees.ts'
import type { Quote } from '../provider/port.ts'

/** The partner sends USD and token amounts as decimals of any length; this many decimal places are kept. */
const DIGITS = 18
const CENT = 10n ** BigInt(DIGITS - 2)

/**
 * Parses a decimal amount into units of 10^-18, truncated; `undefined` if it is not a decimal, or one of more cents than a
 * number of JSON holds exactly.
 */
export function parseAmount(text: string | undefined): bigint | undefined {
  const [, whole, fraction = ''] = /^([0-9]{1,13})(?:\.([0-9]{1,60}))?$/.exec(text ?? '') ?? []
  return whole === undefined ? undefined : BigInt(whole + fraction.slice(0, DIGITS).padEnd(DIGITS, '0'))
}

/** Whole cents, rounded half up. */
export const toCents = (amount: bigint): bigint => (amount + CENT / 2n) / CENT

/** Base units of a token, rounded down. */
export const toUnits = (amount: bigint, decimals: number): bigint => amount / 10n ** BigInt(DIGITS - decimals)

export interface TransferAmounts {
  readonly quote: Quote
  readonly dust: bigint
}

/** Amounts of an on-ramp payment from the cents received and the base units delivered; the difference is the fee. */
export function onrampAmounts(
  usdCents: bigint,
  delivered: bigint,
  { decimals, developerFee }: { readonly decimals: number; readonly developerFee: bigint },
): TransferAmounts {
  const { cents, dust } = splitCents(delivered, decimals)
  const feeCents = usdCents > cents ? usdCents - cents : 0n
  const quote = quoteOf(usdCents, feeCents, developerFee, '1.00')
  return { quote: { ...quote, tokenAmount: delivered - dust }, dust }
}

/** Amounts of an off-ramp payment from the base units received and the cents paid out (`undefined`: not yet known). */
export function offrampAmounts(
  arrived: bigint,
  paidCents: bigint | undefined,
  { decimals, developerFee, rate }: { readonly decimals: number; readonly developerFee: bigint; readonly rate: string },
): TransferAmounts {
  const { cents, dust } = splitCents(arrived, decimals)
  const expected = cents > toCents(developerFee) ? cents - toCents(developerFee) : 0n
  const paid = paidCents ?? expected
  const feeCents = cents > paid ? cents - paid : 0n
  return { quote: { ...quoteOf(cents, feeCents, developerFee, rate), tokenAmount: arrived - dust }, dust }
}

function quoteOf(
  usdCents: bigint,
  feeCents: bigint,
  developerFee: bigint,
  exchangeRate: string,
): Omit<Quote, 'tokenAmount'> {
  const share = toCents(developerFee)
  const developerFeeCents = share < feeCents ? share : feeCents
  assert(feeCents <= usdCents, 'a fee is part of the amount')
  return { usdCents, feeCents, developerFeeCents, netCents: usdCents - feeCents, exchangeRate }
}
