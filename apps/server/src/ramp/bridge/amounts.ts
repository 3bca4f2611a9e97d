import { assert } from '../../kernel/index.ts'
import { splitCents } from '../pricing/fees.ts'
import type { Quote } from '../provider/port.ts'

/** The partner writes USD and tokens as decimals of any length; this many digits of them are kept. */
const DIGITS = 18
const CENT = 10n ** BigInt(DIGITS - 2)

/** A decimal amount in units of 10^-18; `undefined` when it is none. What is finer is cut off. */
export function parseAmount(text: string | undefined): bigint | undefined {
  const [, whole, fraction = ''] = /^([0-9]{1,30})(?:\.([0-9]{1,60}))?$/.exec(text ?? '') ?? []
  return whole === undefined ? undefined : BigInt(whole + fraction.slice(0, DIGITS).padEnd(DIGITS, '0'))
}

/** Whole cents, half up. */
export const toCents = (amount: bigint): bigint => (amount + CENT / 2n) / CENT

/** Base units of a token, rounded down. */
export const toUnits = (amount: bigint, decimals: number): bigint => amount / 10n ** BigInt(DIGITS - decimals)

export interface TransferAmounts {
  readonly quote: Quote
  readonly dust: bigint
}

/** A payment in: so many cents came, so many base units are delivered. What lies between them is the fee. */
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

/** A payment out: so many base units came, so many cents are paid out; `undefined` where that is not known yet. */
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
