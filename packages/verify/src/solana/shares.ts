import type { SolanaVenue } from '../allow-list.ts'
import { refuseUnless } from '../refusal.ts'

/** The highest plausible share price, as a multiple of its initial one. */
const MAX_SHARE_PRICE_FACTOR = 10n

/**
 * Bounds the number of shares for an amount without querying a chain. A share was worth 1/sharesPerUnit base units when
 * the venue was new, and its price only rises, so an amount needs at most amount × sharesPerUnit shares (one more by
 * rounding up) and at least a tenth of that.
 */
export function boundShares(shares: bigint, amount: bigint, venue: SolanaVenue, what: string): void {
  const most = amount * venue.sharesPerUnit + 1n
  const least = (amount * venue.sharesPerUnit) / MAX_SHARE_PRICE_FACTOR
  refuseUnless(
    shares <= most && shares >= least,
    'WRONG_AMOUNT',
    `${what} names ${shares} shares; for ${amount} base units between ${least} and ${most} can be right`,
  )
}

/** What the programs take for every share that the wallet has when the transaction lands. */
const ALL_SHARES = 0xffff_ffff_ffff_ffffn

/**
 * Requires that a withdrawal of everything counts its shares. Without a number it would also pay out what is deposited
 * between the moment when it is measured and the one when it lands.
 */
export function requireCounted(shares: bigint): void {
  refuseUnless(shares !== ALL_SHARES, 'WRONG_AMOUNT', 'the withdrawal of everything does not count its shares')
}
