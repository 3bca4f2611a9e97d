import type { SolanaVenue } from '../allow-list.ts'
import { refuseUnless } from '../refusal.ts'

/** A share that is worth more than so many times what it was when the venue was new would be news. */
const MAX_SHARE_PRICE_FACTOR = 10n

/**
 * Bounds for a number of shares that stands for an amount, without asking a chain. A share was worth 1/sharesPerUnit
 * base units when the venue was new and has only grown dearer since, so the amount takes never more than
 * amount × sharesPerUnit of them (one more by rounding up), and not less than a tenth of that.
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
