import type { Chain, Token } from '../../chains/index.ts'
import type { Database } from '../../database/index.ts'
import { Failure, type Log } from '../../kernel/index.ts'
import type { StrategySeed, VenueSeed } from '../catalogue/seed-catalogue.ts'
import { venueAddress } from '../venue-address.ts'
import { keyOf, type ListedVenue, nameOf, paramsOf, providerOf } from './listed-venue.ts'
import { readListedVenue } from './read-listed-venue.ts'
import { problemLine, VenuesFileError, type VenuesFileProblem } from './venues-file-error.ts'

interface VenuesFileParts {
  readonly db: Database
  readonly log: Log
  readonly chains: ReadonlyMap<string, Chain>
}

interface AcceptedVenue {
  readonly venue: ListedVenue
  readonly token: Pick<Token, 'symbol' | 'address' | 'decimals'>
}

/**
 * What a venue file adds to the catalogue on the served chains, each entry as its chain says. Throws
 * {@link VenuesFileError} with every new entry that is not what it says: whoever wrote it is there to correct it.
 *
 * Entries that an earlier start accepted never refuse a start: a contract of somebody else must not keep the service
 * down. They go on as stored, with an error in the log. An entry that Weir itself lists, and a new one whose chain is
 * unavailable, is left out, which is logged too.
 */
export async function acceptVenuesFile(
  { db, log, chains }: VenuesFileParts,
  entries: readonly ListedVenue[],
  own: readonly VenueSeed[],
): Promise<VenueSeed[]> {
  const stored = await storedListings(db)
  const refused: VenuesFileProblem[] = []
  const accepted: AcceptedVenue[] = []
  const say = (problem: VenuesFileProblem) => log.error({ setting: 'VENUES_FILE' }, problemLine(problem))
  const contracts = contractsOf(own)
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
      if ('token' in read && (!before || before.token.address === read.token.address))
        return accepted.push({ venue, token: read.token })
      if (before) {
        const found = 'token' in read ? anotherToken(venue, read.token) : { index, ...read.problem }
        say({ ...found, message: `${found.message} (the entry was accepted before and stays listed)` })
        return accepted.push({ venue, token: before.token })
      }
      if ('token' in read) return
      const found = { index, ...read.problem }
      if (found.code !== 'CHAIN_UNAVAILABLE') return refused.push(found)
      say({ ...found, message: `${found.message}; the entry is left out until a start that can read it` })
    }),
  )
  if (refused.length > 0) throw new VenuesFileError(refused.toSorted((a, b) => (a.index ?? 0) - (b.index ?? 0)))
  const missing = stored.filter(
    ({ status, contract }) =>
      status !== 'deprecated' && !entries.some((venue) => contractKey(venue.blockchain, venue.address) === contract),
  )
  if (missing.length > 0) {
    const strategies = missing.map(({ key }) => key)
    log.warn(
      { strategies },
      'VENUES_FILE lacks entries of an earlier one, which stay; list them as deprecated to end them',
    )
  }
  return seedsOf(accepted)
}

const contractKey = (blockchain: string, address: string) => `${blockchain} ${address.toLowerCase()}`

function contractsOf(own: readonly VenueSeed[]): ReadonlySet<string> {
  return new Set(
    own.flatMap(({ blockchain, strategies }) =>
      strategies.flatMap(({ params }) => Object.values(params).map((value) => contractKey(blockchain, value))),
    ),
  )
}

/** What venue files listed before, by contract. */
async function storedListings(db: Database) {
  const rows = await db
    .selectFrom('strategies')
    .select(['key', 'blockchain', 'params', 'status', 'token', 'token_address', 'token_decimals'])
    .where('listing_source', 'is not', null)
    .execute()
  return rows.map(({ key, blockchain, params, status, token, token_address, token_decimals }) => ({
    key,
    status,
    contract: contractKey(blockchain, venueAddress({ key, params })),
    token: { symbol: token, address: token_address, decimals: token_decimals },
  }))
}

function kindChanged({ index, kind }: ListedVenue, key: string): VenuesFileProblem {
  const [before] = key.split(':')
  const message = `was listed as ${before}, and ${kind} would read its positions in another way; set kind to ${before}`
  return { code: 'KIND_CHANGED', index, message }
}

function anotherToken({ index, address }: ListedVenue, token: Pick<Token, 'address'>): VenuesFileProblem {
  return { code: 'UNKNOWN_TOKEN', index, message: `${address} takes another token than before, ${token.address}` }
}

function chainUnavailable(error: unknown): { problem: Omit<VenuesFileProblem, 'index'> } {
  if (!(error instanceof Failure) || error.code !== 'CHAIN_UNAVAILABLE') throw error
  return { problem: { code: 'CHAIN_UNAVAILABLE', message: 'the chain is unavailable' } }
}

/** One venue for each chain, kind and provider. */
function seedsOf(accepted: readonly AcceptedVenue[]): VenueSeed[] {
  const ordered = accepted.toSorted((a, b) => a.venue.index - b.venue.index)
  const groups = Map.groupBy(ordered, ({ venue }) => `listed:${venue.kind}:${venue.blockchain}:${providerOf(venue)}`)
  return [...groups].map(([key, own]): VenueSeed => {
    const { kind, blockchain } = own[0]!.venue
    return {
      key,
      name: providerOf(own[0]!.venue),
      protocol: kind,
      blockchain,
      iconUrl: null,
      strategies: own.map(strategySeed),
    }
  })
}

function strategySeed({ venue, token }: AcceptedVenue): StrategySeed {
  return {
    key: keyOf(venue),
    name: nameOf(venue, token.symbol),
    token: token.symbol,
    tokenAddress: token.address,
    tokenDecimals: token.decimals,
    minDeposit: 10n ** BigInt(token.decimals),
    maxDeposit: null,
    status: venue.status,
    supportsGasSponsorship: true,
    params: paramsOf(venue),
    listingSource: venue.source,
  }
}
