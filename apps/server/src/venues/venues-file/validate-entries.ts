import { type Blockchain, type Chain, normalizeAddress } from '../../chains/index.ts'
import type { Database } from '../../database/index.ts'
import { Failure, type Log } from '../../kernel/index.ts'
import type { VenueSeed } from '../catalogue/seed-catalogue.ts'
import { contractsOf } from '../readings.ts'
import { venueAddress } from '../venue-address.ts'
import type { AcceptedVenue } from './accepted-venue.ts'
import { keyOf, type ListedVenue } from './listed-venue.ts'
import { readListedVenue } from './read-listed-venue.ts'
import { problemLine, type VenuesFileProblem } from './venues-file-error.ts'

export interface VenuesFileParts {
  readonly db: Database
  readonly log: Log
  readonly chains: ReadonlyMap<string, Chain>
}

/** What earlier files listed. */
export type StoredListings = Awaited<ReturnType<typeof storedListings>>

interface JudgedEntries {
  readonly accepted: readonly AcceptedVenue[]
  /** New entries that their chain contradicts, or that were listed as another kind; in the order of the file. */
  readonly refused: readonly VenuesFileProblem[]
  /** New entries whose chain is unavailable. */
  readonly waiting: readonly ListedVenue[]
}

/**
 * Compares entries of the served chains with their chains. Entries that an earlier file listed continue as stored, whatever
 * their chain says, with an error in the log; one that Weir itself lists is left out, which is logged too.
 */
export async function validateEntries(
  { log, chains }: Pick<VenuesFileParts, 'log' | 'chains'>,
  entries: readonly ListedVenue[],
  { own, stored }: { readonly own: readonly VenueSeed[]; readonly stored: StoredListings },
): Promise<JudgedEntries> {
  const refused: VenuesFileProblem[] = []
  const accepted: AcceptedVenue[] = []
  const waiting: ListedVenue[] = []
  const say = (problem: VenuesFileProblem) => log.error({ setting: 'VENUES_FILE' }, problemLine(problem))
  const contracts = contractKeysOf(own)
  await Promise.all(
    entries.map(async (venue) => {
      const { index, blockchain, address } = venue
      const chain = chains.get(blockchain)
      if (!chain) return
      if (contracts.has(contractKey(blockchain, address))) {
        return say({ code: 'ALREADY_LISTED', index, message: `Weir itself lists ${address}; remove the entry` })
      }
      const before = stored.find((row) => row.contract === contractKey(blockchain, address))
      const problem = before && before.key !== keyOf(venue) ? kindChanged(venue, before.key) : undefined
      if (problem) return refused.push(problem)
      const read = await readListedVenue(chain, venue).catch(chainUnavailable)
      const hints = 'token' in read ? read.hints : []
      for (const hint of hints) log.warn({ setting: 'VENUES_FILE' }, problemLine({ index, ...hint }))
      const changed = 'token' in read && before ? otherThanBefore(venue, read, before) : undefined
      if ('token' in read && !changed) return accepted.push({ venue, token: read.token, contracts: read.contracts })
      if (before) {
        const found = changed ?? { index, ...(read as { problem: Omit<VenuesFileProblem, 'index'> }).problem }
        say({ ...found, message: `${found.message} (the entry was accepted before and stays listed)` })
        return accepted.push({ venue, token: before.token, contracts: before.contracts })
      }
      if ('token' in read) return
      if (read.problem.code === 'CHAIN_UNAVAILABLE') return waiting.push(venue)
      refused.push({ index, ...read.problem })
    }),
  )
  return { accepted, waiting, refused: refused.toSorted((a, b) => (a.index ?? 0) - (b.index ?? 0)) }
}

/** However the address is written. */
export const contractKey = (blockchain: string, address: string) =>
  `${blockchain} ${normalizeAddress(blockchain as Blockchain, address) ?? address}`

function contractKeysOf(own: readonly VenueSeed[]): ReadonlySet<string> {
  return new Set(
    own.flatMap(({ blockchain, strategies }) =>
      strategies.flatMap(({ params }) => Object.values(params).map((value) => contractKey(blockchain, value))),
    ),
  )
}

/** What venue files listed before, by contract. */
export async function storedListings(db: Database) {
  const rows = await db
    .selectFrom('strategies')
    .select(['key', 'blockchain', 'params', 'status', 'token', 'token_address', 'token_decimals'])
    .where('listing_source', 'is not', null)
    .execute()
  return rows.map(({ key, blockchain, params, status, token, token_address, token_decimals }) => ({
    key,
    status,
    // Several aTokens have one pool.
    contract: contractKey(blockchain, params.aToken ?? venueAddress({ key, params })),
    contracts: contractsOf({ params }),
    token: { symbol: token, address: token_address, decimals: token_decimals },
  }))
}

function kindChanged({ index, kind }: ListedVenue, key: string): VenuesFileProblem {
  const [before] = key.split(':')
  const message = `was listed as ${before}, and ${kind} would read its positions differently; set kind to ${before}`
  return { code: 'KIND_CHANGED', index, message }
}

/** What a contract says otherwise than when its entry was accepted. */
function otherThanBefore(
  { index, address }: ListedVenue,
  now: Pick<AcceptedVenue, 'token' | 'contracts'>,
  before: Pick<AcceptedVenue, 'token' | 'contracts'>,
): VenuesFileProblem | undefined {
  if (now.token.address !== before.token.address)
    return {
      code: 'UNKNOWN_TOKEN',
      index,
      message: `${address} accepts a different token than before, ${now.token.address}`,
    }
  const role = Object.keys(now.contracts).find((name) => now.contracts[name] !== before.contracts[name])
  if (role === undefined) return undefined
  return {
    code: 'WRONG_KIND',
    index,
    message: `${address} names a different ${role} than before, ${now.contracts[role]}`,
  }
}

function chainUnavailable(error: unknown): { problem: Omit<VenuesFileProblem, 'index'> } {
  if (!(error instanceof Failure) || error.code !== 'CHAIN_UNAVAILABLE') throw error
  return { problem: { code: 'CHAIN_UNAVAILABLE', message: 'the chain is unavailable' } }
}
