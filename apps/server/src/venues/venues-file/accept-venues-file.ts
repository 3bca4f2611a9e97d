import type { VenueSeed } from '../catalogue/seed-catalogue.ts'
import { seedsOf } from './accepted-venue.ts'
import type { ListedVenue } from './listed-venue.ts'
import { contractKey, storedListings, type VenuesFileParts, validateEntries } from './validate-entries.ts'
import { problemLine, VenuesFileError } from './venues-file-error.ts'

interface AcceptedFile {
  /** What the file adds to the catalogue. */
  readonly seeds: readonly VenueSeed[]
  /** New entries whose chain is unavailable, for retryWaitingVenues. */
  readonly waiting: readonly ListedVenue[]
}

/**
 * What a venue file adds to the catalogue on the served chains, each entry as its chain says. Throws {@link
 * VenuesFileError} with every new entry that its chain contradicts: the operator who wrote it is present to correct it.
 *
 * Entries that an earlier start accepted never refuse a start: a third-party contract must not keep the service down.
 * They continue as stored, with an error in the log. An entry that Weir itself lists is left out, and a new one whose
 * chain is unavailable waits, which is logged too.
 */
export async function acceptVenuesFile(
  parts: VenuesFileParts,
  entries: readonly ListedVenue[],
  own: readonly VenueSeed[],
): Promise<AcceptedFile> {
  const stored = await storedListings(parts.db)
  const { accepted, refused, waiting } = await validateEntries(parts, entries, { own, stored })
  if (refused.length > 0) throw new VenuesFileError(refused)
  for (const { index, blockchain } of waiting) {
    const message = `${blockchain} is unavailable; the entry is left out until its chain can be read`
    parts.log.error({ setting: 'VENUES_FILE' }, problemLine({ code: 'CHAIN_UNAVAILABLE', index, message }))
  }
  const missing = stored.filter(
    ({ status, contract }) =>
      status !== 'deprecated' && !entries.some((venue) => contractKey(venue.blockchain, venue.address) === contract),
  )
  if (missing.length > 0) {
    const strategies = missing.map(({ key }) => key)
    parts.log.warn(
      { strategies },
      'VENUES_FILE no longer has entries that it had before; they stay listed until you list them as deprecated',
    )
  }
  return { seeds: seedsOf(accepted), waiting }
}
