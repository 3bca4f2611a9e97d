import { isAddress, parseAbi } from 'viem'
import type { Chain, ContractRead, EvmChain } from '../../chains/index.ts'
import type { Strategy } from '../port.ts'
import { contractsOf, rewardSourceOf } from '../readings.ts'
import type { RiskFacts, StrategyCode } from '../risk-facts.ts'
import { type Feed, readFeeds } from './read-feeds.ts'

/** Prices and code on an EVM chain, in two HTTP calls at most; `undefined` on others. Throws CHAIN_UNAVAILABLE. */
export async function readEvmRiskFacts(chain: Chain, strategies: readonly Strategy[]): Promise<RiskFacts | undefined> {
  if (!isEvm(chain)) return undefined
  const { contractCode } = chain
  const [prices, codes] = await Promise.all([
    readFeeds(chain, feedsOf(chain, strategies)),
    contractCode ? readCode(chain, contractCode, strategies) : [],
  ])
  return { prices, codes }
}

const isEvm = (chain: Chain): chain is EvmChain => chain.network.family === 'evm'

/** The feeds of the chain's tokens, and of those that strategies pay rewards in. */
function feedsOf({ network }: EvmChain, strategies: readonly Strategy[]): readonly Feed[] {
  const own = network.tokens.flatMap(({ address, usdFeed }) => (usdFeed === undefined ? [] : [{ address, usdFeed }]))
  const rewards = strategies.flatMap((strategy) => {
    const { rewardToken: address } = strategy
    const source = rewardSourceOf(strategy)
    return address === null || source === undefined ? [] : [{ address, usdFeed: source.rewardFeed }]
  })
  // A token of the chain keeps its own feed.
  return [...new Map([...rewards, ...own].map((feed) => [feed.address, feed])).values()]
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
    Object.values(contractsOf({ params }))
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
