import { addStrategies } from '../catalogue/add-strategies.ts'
import type { VenueSeed } from '../catalogue/seed-catalogue.ts'
import { seedsOf } from './accepted-venue.ts'
import type { ListedVenue } from './listed-venue.ts'
import { storedListings, type VenuesFileParts, validateEntries } from './validate-entries.ts'
import { problemLine } from './venues-file-error.ts'

interface RetriedVenues {
  /** Entries whose chain is still unavailable. */
  readonly waiting: readonly ListedVenue[]
  /** How many entries their chain contradicted this time. */
  readonly refused: number
}

/**
 * Retries the entries of a venue file whose chain was unavailable at the start. What its chain confirms is added to the
 * catalogue, and only added: another process may have read a later file meanwhile. An entry that it contradicts is
 * refused in the log, because the service is serving.
 */
export async function retryWaitingVenues(
  parts: VenuesFileParts,
  entries: readonly ListedVenue[],
  own: readonly VenueSeed[],
): Promise<RetriedVenues> {
  const stored = await storedListings(parts.db)
  const { accepted, refused, waiting } = await validateEntries(parts, entries, { own, stored })
  await addStrategies(parts.db, seedsOf(accepted))
  for (const { venue } of accepted) {
    const { index, blockchain, address } = venue
    parts.log.info(
      { setting: 'VENUES_FILE', blockchain, address },
      `venues[${index}] is accepted: ${blockchain} confirms it`,
    )
  }
  for (const problem of refused) {
    parts.log.error(
      { setting: 'VENUES_FILE' },
      `${problemLine(problem)} (refused; the service continues without the entry)`,
    )
  }
  return { waiting, refused: refused.length }
}
