import { isAddress, parseAbi } from 'viem'
import type { Chain, ContractRead, EvmChain } from '../../chains/index.ts'
import type { Strategy } from '../port.ts'
import { type RiskFacts, type StrategyCode, scaledPrice, type TokenPrice } from '../risk-facts.ts'

/** Prices and code on an EVM chain, in two HTTP calls at most; `undefined` on others. Throws CHAIN_UNAVAILABLE. */
export async function readEvmRiskFacts(chain: Chain, strategies: readonly Strategy[]): Promise<RiskFacts | undefined> {
  if (!isEvm(chain)) return undefined
  const { contractCode } = chain
  const [prices, codes] = await Promise.all([
    readTokenPrices(chain),
    contractCode ? readCode(chain, contractCode, strategies) : [],
  ])
  return { prices, codes }
}

const isEvm = (chain: Chain): chain is EvmChain => chain.network.family === 'evm'

const FEED = parseAbi([
  'function decimals() view returns (uint8)',
  'function latestRoundData() view returns (uint80, int256, uint256, uint256, uint80)',
])
/** A feed that is unreadable, or reports no price, is omitted: its last price becomes old, and then counts as unknown. */
async function readTokenPrices(chain: EvmChain): Promise<TokenPrice[]> {
  const priced = chain.network.tokens.filter(({ usdFeed }) => usdFeed !== undefined)
  const calls = priced.flatMap(({ usdFeed }): ContractRead[] => [
    { address: usdFeed!, abi: FEED, functionName: 'decimals' },
    { address: usdFeed!, abi: FEED, functionName: 'latestRoundData' },
  ])
  if (calls.length === 0) return []
  const results = await chain.multicall(calls)
  return priced.flatMap(({ address: tokenAddress }, index) => {
    const decimals = results[2 * index] as number | undefined
    const round = results[2 * index + 1] as readonly [bigint, bigint, bigint, bigint, bigint] | undefined
    if (decimals === undefined || round === undefined) return []
    const [, answer, , updatedAt] = round
    const price = scaledPrice(answer, decimals)
    return price > 0n && updatedAt > 0n ? [{ tokenAddress, price, pricedAt: new Date(Number(updatedAt) * 1_000) }] : []
  })
}

/**
 * The code of every contract that a strategy names, and behind a beacon the code that the beacon names. A strategy whose
 * beacon is unreadable is omitted: a guess would look like an upgrade.
 */
async function readCode(
  chain: EvmChain,
  contractCode: NonNullable<EvmChain['contractCode']>,
  strategies: readonly Strategy[],
): Promise<StrategyCode[]> {
  const owners = strategies.flatMap(({ id, params }) =>
    Object.values(params)
      .filter((param) => isAddress(param))
      .map((address) => ({ strategyId: id, address })),
  )
  const codes = await contractCode(owners.map(({ address }) => address))
  const contracts = owners.map((owner, index) => ({ ...owner, ...codes[index]! }))
  const behind = contracts.filter(({ beacon }) => beacon !== null)
  const named = behind.length === 0 ? [] : await chain.multicall(behind.map(({ beacon }) => beaconCall(beacon!)))
  const implementationOf = new Map(behind.map(({ beacon }, index) => [beacon, named[index] as string | undefined]))
  const isRead = ({ beacon }: (typeof contracts)[number]) => beacon === null || implementationOf.get(beacon)
  const byStrategy = Map.groupBy(contracts, ({ strategyId }) => strategyId)
  return [...byStrategy]
    .filter(([, own]) => own.every(isRead))
    .map(([strategyId, own]) => ({
      strategyId,
      contracts: own.map(({ address, codeHash, implementation, beacon }) => ({
        address,
        codeHash,
        implementation: implementation ?? implementationOf.get(beacon) ?? null,
        beacon,
      })),
    }))
}

const BEACON = parseAbi(['function implementation() view returns (address)'])
const beaconCall = (address: string): ContractRead => ({ address, abi: BEACON, functionName: 'implementation' })
