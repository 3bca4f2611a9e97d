import { parseAbi } from 'viem'
import type { ContractRead, EvmChain } from '../../chains/index.ts'
import { scaledPrice, type TokenPrice, timeOfFeed } from '../risk-facts.ts'

const FEED = parseAbi([
  'function decimals() view returns (uint8)',
  'function latestRoundData() view returns (uint80, int256, uint256, uint256, uint80)',
])

export interface Feed {
  /** The token that it prices. */
  readonly address: string
  readonly usdFeed: string
}

/**
 * What feeds of Chainlink's interface report. One that is unreadable, or reports no price or a time that does not exist, is omitted: its last price
 * becomes old, and then counts as unknown. Throws CHAIN_UNAVAILABLE.
 */
export async function readFeeds(chain: Pick<EvmChain, 'multicall'>, feeds: readonly Feed[]): Promise<TokenPrice[]> {
  const calls = feeds.flatMap(({ usdFeed }): ContractRead[] => [
    { address: usdFeed, abi: FEED, functionName: 'decimals' },
    { address: usdFeed, abi: FEED, functionName: 'latestRoundData' },
  ])
  if (calls.length === 0) return []
  const results = await chain.multicall(calls)
  return feeds.flatMap(({ address: tokenAddress }, index) => {
    const decimals = results[2 * index] as number | undefined
    const round = results[2 * index + 1] as readonly [bigint, bigint, bigint, bigint, bigint] | undefined
    if (decimals === undefined || round === undefined) return []
    const [, answer, , updatedAt] = round
    const price = scaledPrice(answer, decimals)
    const pricedAt = timeOfFeed(updatedAt)
    return price > 0n && pricedAt !== undefined ? [{ tokenAddress, price, pricedAt }] : []
  })
}
