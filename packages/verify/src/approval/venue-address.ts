import type { AllowList } from '../allow-list.ts'
import type { Meaning } from '../intent.ts'
import { venueAccountOf } from '../solana/venue-account.ts'

/**
 * The address of the venue that verified bytes use, as the content of an approval names it: Aave's pool, the vault,
 * Kamino's reserve, or Jupiter Lend's market. `undefined` if the list has no such venue.
 */
export function venueAddressOf(
  list: AllowList,
  { blockchain, venue }: Pick<Meaning, 'blockchain' | 'venue'>,
): string | undefined {
  const rules = list.chains.find((chain) => chain.blockchain === blockchain)
  if (rules === undefined) return undefined
  if (rules.family === 'evm') return rules.venues.find(({ name }) => name === venue)?.contract
  const found = rules.venues.find(({ name }) => name === venue)
  if (found === undefined) return undefined
  return venueAccountOf(found)
}
