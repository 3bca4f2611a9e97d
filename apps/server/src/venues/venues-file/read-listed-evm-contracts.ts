import { getAddress, isAddress, parseAbi } from 'viem'
import type { ContractRead, EvmChain } from '../../chains/index.ts'
import { isSameAddress } from '../evm/address.ts'
import { type ContractsReading, refused } from './contracts-reading.ts'
import { type ListedKind, type ListedVenue, MAIN_CONTRACT } from './listed-venue.ts'

const listingAbi = parseAbi([
  'function supportsInterface(bytes4 id) view returns (bool)',
  'function cooldownDuration() view returns (uint256)',
  'function silo() view returns (address)',
  'function asset() view returns (address)',
  'function share() view returns (address)',
  'function baseToken() view returns (address)',
  'function UNDERLYING_ASSET_ADDRESS() view returns (address)',
  'function POOL() view returns (address)',
  'function decimals() view returns (uint8)',
])
const poolAbi = parseAbi([
  'struct ReserveData { uint256 configuration; uint128 liquidityIndex; uint128 currentLiquidityRate; uint128 variableBorrowIndex; uint128 currentVariableBorrowRate; uint128 currentStableBorrowRate; uint40 lastUpdateTimestamp; uint16 id; address aTokenAddress; }',
  'function getReserveData(address asset) view returns (ReserveData)',
])
/** Interface ids of ERC-7540: deposits, and redemptions, that are requested and claimed later. */
const ASYNC_DEPOSIT = '0xce3bbe50'
const ASYNC_REDEEM = '0x620ee8e4'
/** The code hashes of an address that was never used, and of one that holds no code. */
const NO_CODE = [`0x${'0'.repeat(64)}`, '0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470']

/** The function by which a contract reports its token. */
const TOKEN_OF: Readonly<Partial<Record<ListedKind, string>>> = {
  erc4626: 'asset',
  erc7540: 'asset',
  'cooldown-vault': 'asset',
  'compound-v3': 'baseToken',
  'aave-v3': 'UNDERLYING_ASSET_ADDRESS',
}

/** What an entry's contract says about itself and the contracts that it works with. Throws CHAIN_UNAVAILABLE. */
export async function readListedEvmContracts(chain: EvmChain, venue: ListedVenue): Promise<ContractsReading> {
  const { address, kind, blockchain } = venue
  const [code] = (await chain.contractCode?.([address])) ?? []
  if (code && NO_CODE.includes(code.codeHash))
    return refused('NO_CONTRACT', `there is no contract at ${address} on ${blockchain}; correct address or blockchain`)
  const call = (functionName: string, ...args: readonly unknown[]): ContractRead => {
    return { address, abi: listingAbi, functionName, args }
  }
  const [deposits, redemptions, cooldown, silo, share, pool, token] = await chain.multicall([
    call('supportsInterface', ASYNC_DEPOSIT),
    call('supportsInterface', ASYNC_REDEEM),
    call('cooldownDuration'),
    call('silo'),
    call('share'),
    call('POOL'),
    call(TOKEN_OF[kind]!),
  ])
  const read = { deposits, redemptions, cooldown, escrow: addressIn(silo) }
  const wrongKind = foreignShares(venue, addressIn(share)) ?? wrongKindOf(kind, read)
  if (wrongKind !== undefined) return refused('WRONG_KIND', `${address} ${wrongKind}`)
  const tokenAddress = addressIn(token)
  if (tokenAddress === undefined)
    return refused('WRONG_KIND', `${address} does not report its token, as ${kind} does; correct address or kind`)
  const decimals = { address: tokenAddress, abi: listingAbi, functionName: 'decimals', args: [] }
  const own = { [MAIN_CONTRACT[kind]]: address }
  if (kind !== 'aave-v3') {
    const [places] = await chain.multicall([decimals])
    return {
      contracts: { ...own, ...(kind === 'cooldown-vault' && { escrow: read.escrow! }) },
      tokenAddress,
      decimals: numberIn(places),
    }
  }
  const from = addressIn(pool)
  if (from === undefined) return refused('WRONG_KIND', `${address} does not report its pool, as an aToken does`)
  const reserve = { address: from, abi: poolAbi, functionName: 'getReserveData', args: [tokenAddress] }
  const [places, data] = await chain.multicall([decimals, reserve])
  const issued = addressIn((data as { aTokenAddress?: unknown } | undefined)?.aTokenAddress)
  if (issued === undefined || !isSameAddress(issued, address))
    return refused('WRONG_KIND', `${address} is not the aToken that its pool ${from} issues for ${tokenAddress}`)
  return { contracts: { pool: from, ...own }, tokenAddress, decimals: numberIn(places) }
}

interface KindReading {
  readonly deposits: unknown
  readonly redemptions: unknown
  readonly cooldown: unknown
  readonly escrow: string | undefined
}

/** What a contract of another kind says, in words; `undefined`: nothing speaks against the kind. */
function wrongKindOf(kind: ListedKind, { deposits, redemptions, cooldown, escrow }: KindReading): string | undefined {
  if (deposits === true) return 'takes deposits by request (ERC-7540), which Weir does not; remove the entry'
  if (kind === 'erc4626' && redemptions === true) return 'pays by request; its kind is erc7540'
  if (kind === 'erc7540' && redemptions !== true) return 'does not pay by request, as erc7540 does; correct kind'
  if (kind === 'cooldown-vault') {
    if (typeof cooldown !== 'bigint') return 'reports no cooldown, as cooldown-vault does; correct kind'
    return escrow === undefined ? 'does not report by silo where it pays from; remove the entry' : undefined
  }
  if (typeof cooldown !== 'bigint' || cooldown === 0n) return undefined
  return escrow === undefined
    ? 'pays after a cooldown, and does not report by silo where from; remove the entry'
    : 'pays after a cooldown; its kind is cooldown-vault'
}

/** ERC-7575 lets the shares be a contract of their own, which several vaults may have in common. */
function foreignShares({ kind, address }: ListedVenue, share: string | undefined): string | undefined {
  if (MAIN_CONTRACT[kind] !== 'vault' || share === undefined || isSameAddress(share, address)) return undefined
  return `issues the shares of another contract, ${share} (ERC-7575), which Weir does not read; remove the entry`
}

const numberIn = (result: unknown): number | undefined => (typeof result === 'number' ? result : undefined)

const addressIn = (result: unknown): string | undefined =>
  typeof result === 'string' && isAddress(result) ? getAddress(result) : undefined
