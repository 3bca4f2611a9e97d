import { BLOCKCHAINS, type Chain } from '../../../server/src/chains/index.ts'
import { type Config, readConfig, SETTINGS } from '../../../server/src/config.ts'
import { silentLog, systemClock } from '../../../server/src/kernel/index.ts'
import { readVenuesFile } from '../../../server/src/main/start/seed-venues.ts'
import { startChains } from '../../../server/src/main/start/start-chains.ts'
import {
  type ConfirmedVenue,
  type ListedVenue,
  liveSeeds,
  readListedVenue,
  type VenueSeed,
  venueFor,
} from '../../../server/src/venues/index.ts'
import { type Finding, ok, problem, type Section, skipped, warning } from './findings.ts'

type Env = Readonly<Record<string, string | undefined>>

/** All that is read here, so that the check runs where the service's secrets are not. */
const SETTINGS_READ = [
  SETTINGS.ethereumRpcUrls,
  SETTINGS.polygonRpcUrls,
  SETTINGS.baseRpcUrls,
  SETTINGS.solanaRpcUrls,
  SETTINGS.ethereumConfirmations,
  SETTINGS.polygonConfirmations,
  SETTINGS.baseConfirmations,
  SETTINGS.venuesFile,
]

/** Throws ConfigError. Without SERVICE_ENV no setting demands another one. */
function readSettings(env: Env): Config {
  return readConfig(Object.fromEntries(SETTINGS_READ.map(({ name }) => [name, env[name]])))
}

/**
 * Compares the catalogue with the contracts on every chain with an RPC endpoint; a section for each chain. Throws
 * ConfigError for a wrong endpoint or VENUES_FILE.
 */
export async function checkVenues(env: Env): Promise<Section[]> {
  const config = readSettings(env)
  const listed = await readVenuesFile(config)
  // As in live, where no chain is embedded: the catalogue lists public chains only.
  const { chains } = await startChains(
    { ...config, environment: 'live' },
    { clock: systemClock, log: silentLog, isRegistered: async () => false, onExit: () => {} },
  )
  return await Promise.all(
    BLOCKCHAINS.map(async (blockchain) => {
      const chain = chains.get(blockchain)
      const without = skipped(`${blockchain.toUpperCase()}_RPC_URL is not set`)
      const venues = liveSeeds([blockchain])
      const own = listed.filter((entry) => entry.blockchain === blockchain)
      const found = chain
        ? await Promise.all([
            ...venues.map((venue) => checkVenue(chain, venue)),
            ...own.map(async (entry) => [await checkListedVenue(chain, entry)]),
          ])
        : [[without]]
      return { name: blockchain, findings: found.flat() }
    }),
  )
}

/** The findings of one venue, one for each strategy. */
export async function checkVenue(chain: Chain, venue: VenueSeed): Promise<Finding[]> {
  const { name: venueName, protocol, blockchain } = venue
  const unread = {
    listingSource: null,
    apy: 0,
    tvl: null,
    liquidity: null,
    price: null,
    deposits: null,
    withdrawals: null,
    timelockSeconds: null,
    shortfall: null,
    entryFeeBps: null,
    exitFeeBps: null,
    rewardToken: null,
  }
  const strategies = venue.strategies.map((seed, id) => ({
    ...seed,
    ...unread,
    id,
    venueId: 0,
    venueName,
    protocol,
    blockchain,
  }))
  const tokens = await venueFor(protocol)
    .acceptedTokens(chain, strategies)
    .catch((error: Error) => error)
  return strategies.map(({ name, token, tokenAddress, params }, at) => {
    const what = `${venueName}, ${name} (${Object.values(params)[0]})`
    if (tokens instanceof Error)
      return problem(`${what}: ${tokens.message}`, `check ${blockchain.toUpperCase()}_RPC_URL`)
    const taken = tokens[at]
    if (taken === tokenAddress) return ok(`${what} takes ${token}`)
    if (taken === undefined) {
      return problem(
        `${what} cannot be read`,
        'nothing is planned there until it can: check the endpoint, and the venue itself',
      )
    }
    return problem(
      `${what} takes ${taken}, not ${token}`,
      'do not deposit there: the catalogue or the endpoint is wrong',
    )
  })
}

/** What the agent's allow-list names beside the address of the entry. */
function forAgent({ contracts, forAgent: more }: Pick<ConfirmedVenue, 'contracts' | 'forAgent'>): string {
  const named = { ...(contracts.pool !== undefined && { contract: contracts.pool }), ...more }
  const fields = Object.entries(named).map(([field, address]) => `${field} ${address}`)
  return fields.length === 0 ? '' : `; in the agent's ALLOW_LIST: ${fields.join(', ')}`
}

/** The finding of one entry of VENUES_FILE. */
export async function checkListedVenue(chain: Chain, entry: ListedVenue): Promise<Finding> {
  const what = `VENUES_FILE venues[${entry.index}] (${entry.address})`
  const read = await readListedVenue(chain, entry).catch((error: Error) => error)
  if (read instanceof Error)
    return problem(`${what}: ${read.message}`, `check ${entry.blockchain.toUpperCase()}_RPC_URL`)
  if ('token' in read && read.hints.length > 0) {
    const [first] = read.hints
    const found = read.hints.map(({ code, message }) => `${code}: ${message}`).join('; ')
    const remedy =
      first!.code === 'KEEPS_FEES' ? 'list it only if that is meant' : 'it counts as full until the entry is changed'
    return warning(`${what} ${found}`, remedy)
  }
  if ('token' in read) return ok(`${what} takes ${read.token.symbol}${forAgent(read)}`)
  const { code, message } = read.problem
  return problem(`${what} ${code}: ${message}`, 'correct the entry: docs/venues.md describes each code')
}
