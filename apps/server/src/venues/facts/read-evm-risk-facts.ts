import { isAddress, parseAbi } from 'viem'
import type { Chain, ContractRead, EvmChain } from '../../chains/index.ts'
import type { StoredContractCode } from '../../database/index.ts'
import { operateCall, operateIn, readFluidLayers } from '../erc4626/fluid-code.ts'
import { type Feed, readFeeds } from '../evm/read-feeds.ts'
import type { Strategy } from '../port.ts'
import { contractsOf, rewardSourceOf } from '../readings.ts'
import type { RiskFacts, StrategyCode } from '../risk-facts.ts'

/** Prices and code on an EVM chain, in four HTTP calls at most; `undefined` on others. Throws CHAIN_UNAVAILABLE. */
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

interface NamedContract {
  readonly strategyId: number
  readonly address: string
  /** Whether a contract names it, not the strategy. */
  readonly isBehind: boolean
}

/**
 * The code of every contract that a strategy names, behind a beacon the code that the beacon names, and behind Fluid's
 * vaults the code that moves their money. A strategy whose beacon is unreadable is omitted: a guess would look like an
 * upgrade.
 */
async function readCode(
  chain: EvmChain,
  contractCode: NonNullable<EvmChain['contractCode']>,
  strategies: readonly Strategy[],
): Promise<StrategyCode[]> {
  const layers = await readFluidLayers(chain, strategies)
  const named = strategies.flatMap((strategy) => contractsNamedBy(strategy, layers.get(strategy.id)))
  const codes = await contractCode(named.map(({ address }) => address))
  const contracts = named.map((one, index) => ({ ...one, ...codes[index]! }))
  const asked = contracts.filter(({ isBehind, beacon }) => isBehind || beacon !== null)
  const answers =
    asked.length === 0
      ? []
      : await chain.multicall(
          asked.map(({ isBehind, address, beacon }) => (isBehind ? operateCall(address) : beaconCall(beacon!))),
        )
  const answerOf = new Map(asked.map((contract, index) => [contract, answers[index]]))
  const byStrategy = Map.groupBy(contracts, ({ strategyId }) => strategyId)
  return [...byStrategy].flatMap(([strategyId, all]): StrategyCode[] => {
    const own = all.filter(({ isBehind }) => !isBehind)
    if (!own.every((contract) => contract.beacon === null || answerOf.get(contract))) return []
    const read = own.map((contract) => {
      const { address, codeHash, implementation, beacon } = contract
      return { address, codeHash, implementation: implementation ?? (answerOf.get(contract) as string) ?? null, beacon }
    })
    if (!layers.has(strategyId)) return [{ strategyId, contracts: read }]
    const layer = all.find(({ isBehind }) => isBehind)
    return [{ strategyId, contracts: read, behind: layer ? layerCode(layer, answerOf.get(layer)) : 'unread' }]
  })
}

function layerCode({ address, codeHash }: Pick<StoredContractCode, 'address' | 'codeHash'>, answer: unknown) {
  const implementation = operateIn(answer)
  return implementation === undefined ? 'unread' : { address, codeHash, implementation, beacon: null }
}

function contractsNamedBy({ id, params }: Strategy, layer: string | undefined): readonly NamedContract[] {
  const own = Object.values(contractsOf({ params })).filter((param) => isAddress(param))
  return [
    ...own.map((address) => ({ strategyId: id, address, isBehind: false })),
    ...(layer === undefined ? [] : [{ strategyId: id, address: layer, isBehind: true }]),
  ]
}

const BEACON = parseAbi(['function implementation() view returns (address)'])
const beaconCall = (address: string): ContractRead => ({ address, abi: BEACON, functionName: 'implementation' })
