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
