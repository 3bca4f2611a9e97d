import type { SolanaVenue } from '../allow-list.ts'

/** The account that distinguishes a venue from others of its program. */
export function venueAccountOf(venue: SolanaVenue): string {
  if (venue.protocol === 'kamino') return venue.reserve
  return venue.protocol === 'jupiter-lend' ? venue.lending : venue.vault
}
