import type { Chain } from '../../chains/index.ts'
import { apyFromGrowth, maxAmount, minAmount } from '../../kernel/index.ts'
import { ContractUnavailableError } from '../contract-unavailable.ts'
import { readAddresses } from '../evm/read-addresses.ts'
import { integer, requireEvmChain } from '../evm/reader.ts'
import type { BlockTime, PositionReading, Rates, RatesQuery, SharesQuery, Strategy } from '../port.ts'
import { presentValue } from './balance.ts'
import { cometCall, readIndices } from './index-state.ts'
import { heldCall, PAUSE_CALLS, pauseCalls, pausesIn } from './market-state.ts'
import { readRewards } from './rewards.ts'

const FACTOR_SCALE = 10n ** 18n

export function acceptedTokens(chain: Chain, strategies: readonly Strategy[]): Promise<(string | undefined)[]> {
  return readAddresses(
    chain,
    strategies.map(({ params }) => cometCall(params.comet!, 'baseToken')),
  )
}

/** The index of each market at that block: 1e15 when the market was new. */
export async function prices(chain: Chain, strategies: readonly Strategy[], at?: number): Promise<bigint[]> {
  return (await readIndices(chain, strategies, at)).map(({ index }) => index)
}

/** Principals. A debt counts as 0: it is not a position here. */
export async function shares(chain: Chain, queries: readonly SharesQuery[], at?: number): Promise<bigint[]> {
  if (queries.length === 0) return []
  const results = await requireEvmChain(chain).multicall(queries.map(principalCall), at)
  return queries.map(({ strategy }, i) => principalIn(results[i], strategy))
}

function principalCall({ strategy, owner }: SharesQuery) {
  return cometCall(strategy.params.comet!, 'userBasic', [owner])
}

function principalIn(result: unknown, { params }: Strategy): bigint {
  const [principal] = Array.isArray(result) ? (result as unknown[]) : []
  if (typeof principal !== 'bigint') throw new ContractUnavailableError(params.comet!, 'userBasic')
  return maxAmount(principal, 0n)
}

/**
 * APY from Comet's own rate a second, compounded, without rewards; TVL is what lenders are owed; liquidity is what the
 * market holds.
 */
export async function rates(chain: Chain, queries: readonly RatesQuery[], at?: BlockTime): Promise<Rates[]> {
  const strategies = queries.map(({ strategy }) => strategy)
  const [indices, markets, rewards] = await Promise.all([
    readIndices(chain, strategies, at?.number),
    readMarkets(chain, strategies, at?.number),
    Promise.all(strategies.map((strategy) => readRewards(chain, strategy, at?.number))),
  ])
  return indices.map(({ index, supplyRate }, i) => {
    const apy = apyFromGrowth(FACTOR_SCALE, FACTOR_SCALE + supplyRate, 1)
    return { price: index, apy, ...markets[i]!, ...(rewards[i] && { rewards: rewards[i] }) }
  })
}

async function readMarkets(chain: Chain, strategies: readonly Strategy[], at?: number) {
  const callsOf = (strategy: Strategy) => [
    cometCall(strategy.params.comet!, 'totalSupply'),
    heldCall(strategy),
    ...pauseCalls(strategy),
  ]
  const results = await requireEvmChain(chain).multicall(strategies.flatMap(callsOf), at)
  return strategies.map((strategy, i) => {
    const from = i * (2 + PAUSE_CALLS)
    const [supplyCall, held] = callsOf(strategy)
    return {
      tvl: integer(results[from], supplyCall!),
      liquidity: integer(results[from + 1], held!),
      ...pausesIn(strategy, results.slice(from + 2, from + 2 + PAUSE_CALLS)),
    }
  })
}

/** What an owner could withdraw is the balance, as far as the market holds tokens that are not lent out. */
export async function positions(chain: Chain, queries: readonly SharesQuery[]): Promise<PositionReading[]> {
  if (queries.length === 0) return []
  const strategies = [...new Map(queries.map(({ strategy }) => [strategy.id, strategy])).values()]
  const [principals, indices, markets] = await Promise.all([
    shares(chain, queries),
    readIndices(chain, strategies),
    readMarkets(chain, strategies),
  ])
  const states = new Map(strategies.map(({ id }, i) => [id, { price: indices[i]!.index, ...markets[i]! }]))
  return queries.map(({ strategy }, i) => {
    const { price, liquidity, withdrawals } = states.get(strategy.id)!
    const principal = principals[i]!
    const withdrawable = withdrawals === 'paused' ? 0n : minAmount(presentValue(principal, price), liquidity)
    return { shares: principal, price, withdrawable }
  })
}
