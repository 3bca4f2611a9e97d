import { parseAbi } from 'viem'
import type { Chain, ContractRead, EvmChain, Token } from '../../chains/index.ts'
import { ContractUnavailableError } from '../contract-unavailable.ts'
import { requireEvmChain } from '../evm/reader.ts'
import type { Strategy } from '../port.ts'
import { venueFor } from '../venue-for.ts'
import { keyOf, type ListedKind, type ListedVenue, nameOf, paramsOf, providerOf } from './listed-venue.ts'
import { untoldLimits } from './untold-limits.ts'
import type { VenuesFileProblem } from './venues-file-error.ts'

const listingAbi = parseAbi([
  'function supportsInterface(bytes4 id) view returns (bool)',
  'function cooldownDuration() view returns (uint256)',
  'function decimals() view returns (uint8)',
])
/** Interface ids of ERC-7540: deposits, and redemptions, that are requested and claimed later. */
const ASYNC_DEPOSIT = '0xce3bbe50'
const ASYNC_REDEEM = '0x620ee8e4'
/** The code hashes of an address that was never used, and of one that holds no code. */
const NO_CODE = [`0x${'0'.repeat(64)}`, '0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470']

type ListedReading =
  | { readonly token: Token /** What the operator should change. */; readonly hint?: string }
  | { readonly problem: Omit<VenuesFileProblem, 'index'> }

/**
 * The token of an entry, once its contract is there, is of its kind, and returns everything that the service will ask
 * it. Throws CHAIN_UNAVAILABLE when the chain is unavailable.
 */
export async function readListedVenue(served: Chain, venue: ListedVenue): Promise<ListedReading> {
  const chain = requireEvmChain(served)
  const { address, kind, blockchain } = venue
  const [code] = (await chain.contractCode?.([address])) ?? []
  if (code && NO_CODE.includes(code.codeHash))
    return refused('NO_CONTRACT', `there is no contract at ${address} on ${blockchain}; correct address or blockchain`)
  const wrongKind = await wrongKindOf(chain, address, kind)
  if (wrongKind !== undefined) return refused('WRONG_KIND', `${address} ${wrongKind}`)
  const [accepted] = await venueFor(kind).acceptedTokens(chain, [strategyOf(venue, undefined)])
  if (accepted === undefined)
    return refused('WRONG_KIND', `${address} does not tell its token, as ${kind} does; correct address or kind`)
  const token = chain.network.tokens.find((known) => known.address === accepted)
  const known = chain.network.tokens.map(({ symbol }) => symbol).join(', ')
  if (!token)
    return refused(
      'UNKNOWN_TOKEN',
      `${address} takes ${accepted}; on ${blockchain} Weir knows ${known}. Remove the entry`,
    )
  return await readableAs(chain, venue, token)
}

/** What a contract of another kind says, in words; `undefined`: nothing contradicts the kind. */
async function wrongKindOf(chain: EvmChain, address: string, kind: ListedKind): Promise<string | undefined> {
  const supports = (id: string): ContractRead => {
    return { address, abi: listingAbi, functionName: 'supportsInterface', args: [id] }
  }
  const [deposits, redemptions, cooldown] = await chain.multicall([
    supports(ASYNC_DEPOSIT),
    supports(ASYNC_REDEEM),
    { address, abi: listingAbi, functionName: 'cooldownDuration', args: [] },
  ])
  if (deposits === true) return 'takes deposits by request (ERC-7540), which Weir does not; remove the entry'
  if (kind === 'erc4626' && redemptions === true) return 'pays by request; its kind is erc7540'
  if (kind === 'erc7540' && redemptions !== true) return 'does not pay by request, as erc7540 does; correct kind'
  if (typeof cooldown === 'bigint' && cooldown > 0n)
    return 'pays after a cooldown, and where from cannot be read from it; remove the entry'
  return undefined
}

/** Reads everything that the service will read regularly. */
async function readableAs(chain: EvmChain, venue: ListedVenue, token: Token): Promise<ListedReading> {
  const strategy = strategyOf(venue, token)
  try {
    const [[decimals], [rates]] = await Promise.all([
      chain.multicall([{ address: token.address, abi: listingAbi, functionName: 'decimals', args: [] }]),
      venueFor(venue.kind).rates(chain, [{ strategy, past: undefined }]),
    ])
    if (Number(decimals) === token.decimals) {
      const hint = await untoldLimits(chain, strategy, rates!)
      return { token, ...(hint && { hint }) }
    }
    const differ = `${token.address} has ${decimals} decimals; Weir expects ${token.decimals} of ${token.symbol}`
    return refused('UNKNOWN_TOKEN', `${differ}. Remove the entry`)
  } catch (error) {
    if (!(error instanceof ContractUnavailableError)) throw error
    return refused(
      'UNREADABLE',
      `${String(error.cause)}, which ${venue.kind} demands; correct kind, or remove the entry`,
    )
  }
}

function refused(code: VenuesFileProblem['code'], message: string): ListedReading {
  return { problem: { code, message } }
}

/** As the catalogue would have it before its first reading. */
function strategyOf(venue: ListedVenue, token: Token | undefined): Strategy {
  return {
    id: 0,
    venueId: 0,
    venueName: providerOf(venue),
    key: keyOf(venue),
    name: nameOf(venue, token?.symbol ?? ''),
    protocol: venue.kind,
    blockchain: venue.blockchain,
    token: token?.symbol ?? '',
    tokenAddress: token?.address ?? venue.address,
    tokenDecimals: token?.decimals ?? 0,
    minDeposit: null,
    maxDeposit: null,
    status: venue.status,
    supportsGasSponsorship: true,
    params: paramsOf(venue),
    listingSource: venue.source,
    apy: 0,
    tvl: null,
    liquidity: null,
    price: null,
    deposits: null,
    withdrawals: null,
    timelockSeconds: null,
  }
}
