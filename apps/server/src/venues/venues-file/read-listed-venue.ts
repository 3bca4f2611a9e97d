import type { Chain, Token } from '../../chains/index.ts'
import { ContractUnavailableError } from '../contract-unavailable.ts'
import { ANYONE } from '../erc4626/deposit-terms.ts'
import { requireEvmChain } from '../evm/reader.ts'
import type { SharesQuery, Strategy } from '../port.ts'
import { requireSvmChain } from '../svm/reader.ts'
import { venueFor } from '../venue-for.ts'
import { announcedFees } from './announced-fees.ts'
import { type ListedContracts, refused } from './contracts-reading.ts'
import { keyOf, type ListedVenue, nameOf, paramsOf, providerOf } from './listed-venue.ts'
import { readListedEvmContracts } from './read-listed-evm-contracts.ts'
import { readListedSvmContracts } from './read-listed-svm-contracts.ts'
import { rewardsProblem } from './rewards-problem.ts'
import { unreportedLimits } from './unreported-limits.ts'
import type { VenuesFileProblem } from './venues-file-error.ts'

/** An entry that its chain confirms. */
export interface ConfirmedVenue extends Pick<ListedContracts, 'contracts' | 'forAgent'> {
  readonly token: Token
  /** What the operator should change or know. */
  readonly hints: readonly Pick<VenuesFileProblem, 'code' | 'message'>[]
}
type ListedReading = ConfirmedVenue | { readonly problem: Omit<VenuesFileProblem, 'index'> }

/**
 * The token and the contracts of an entry, once its contract is there, is of its kind, and returns everything that the
 * service will ask it. Throws CHAIN_UNAVAILABLE when the chain is unavailable.
 */
export async function readListedVenue(chain: Chain, venue: ListedVenue): Promise<ListedReading> {
  const { address, blockchain } = venue
  const read =
    chain.network.family === 'evm'
      ? await readListedEvmContracts(requireEvmChain(chain), venue)
      : await readListedSvmContracts(requireSvmChain(chain), venue)
  if ('problem' in read) return read
  const { tokens } = chain.network
  const token = tokens.find((known) => known.address === read.tokenAddress)
  const known = tokens.map(({ symbol }) => symbol).join(', ')
  if (!token)
    return refused(
      'UNKNOWN_TOKEN',
      `${address} takes ${read.tokenAddress}; on ${blockchain} Weir knows ${known}. Remove the entry`,
    )
  if (read.decimals !== token.decimals) {
    const differ = `${token.address} has ${read.decimals} decimals; Weir expects ${token.decimals} of ${token.symbol}`
    return refused('UNKNOWN_TOKEN', `${differ}. Remove the entry`)
  }
  return await readableAs(chain, venue, { ...read, token })
}

/** Reads everything that the service will read regularly, even of an owner: otherwise deposits would never return. */
async function readableAs(chain: Chain, venue: ListedVenue, found: ListedContracts & { readonly token: Token }) {
  const { token, contracts, forAgent } = found
  const strategy = strategyOf(venue, found)
  try {
    const [rates] = await venueFor(venue.kind).rates(chain, [{ strategy, past: undefined }])
    if (chain.network.family === 'evm') await readOwner(chain, { strategy, owner: ANYONE })
    const problem = await rewardsProblem(chain, venue, rates!)
    if (problem !== undefined) return refused('UNREADABLE', problem)
    const hints = [...(await unreportedLimits(chain, strategy, rates!)), ...announcedFees(strategy, rates!)]
    return { token, contracts, ...(forAgent && { forAgent }), hints }
  } catch (error) {
    if (!(error instanceof ContractUnavailableError)) throw error
    return refused(
      'UNREADABLE',
      `${String(error.cause)}, which ${venue.kind} demands; correct kind, or remove the entry`,
    )
  }
}

/** What is read of each owner. Throws ContractUnavailableError. */
async function readOwner(chain: Chain, query: SharesQuery): Promise<void> {
  const { shares, positions, exits } = venueFor(query.strategy.protocol)
  await Promise.all([shares(chain, [query]), positions(chain, [query]), exits?.read(chain, [query])])
}

/** As the catalogue would have it before its first reading. */
function strategyOf(venue: ListedVenue, { token, contracts }: Pick<ConfirmedVenue, 'token' | 'contracts'>): Strategy {
  return {
    id: 0,
    venueId: 0,
    venueName: providerOf(venue),
    key: keyOf(venue),
    name: nameOf(venue, token.symbol),
    protocol: venue.kind,
    blockchain: venue.blockchain,
    token: token.symbol,
    tokenAddress: token.address,
    tokenDecimals: token.decimals,
    minDeposit: null,
    maxDeposit: null,
    status: venue.status,
    supportsGasSponsorship: true,
    params: paramsOf(venue, contracts),
    listingSource: venue.source,
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
}
