import type { Chain, ContractRead } from '../../chains/index.ts'
import { apyFromRate, minAmount } from '../../kernel/index.ts'
import { readAddresses } from '../evm/read-addresses.ts'
import { integer, readIntegers, requireEvmChain } from '../evm/reader.ts'
import type { BlockTime, PositionReading, Rates, RatesQuery, SharesQuery, Strategy } from '../port.ts'
import { aTokenAbi } from './abi.ts'
import { rayMul } from './ray.ts'
import { priceCall, RESERVE_CALLS, reserveCalls, reserveStateFrom } from './reserve-state.ts'

export function acceptedTokens(chain: Chain, strategies: readonly Strategy[]): Promise<(string | undefined)[]> {
  return readAddresses(
    chain,
    strategies.map(({ params }) => ({
      address: params.aToken!,
      abi: aTokenAbi,
      functionName: 'UNDERLYING_ASSET_ADDRESS',
    })),
  )
}

/** Price per scaled share in rays: the index at the time of that block, including interest not yet written. */
export function prices(chain: Chain, strategies: readonly Strategy[], at?: number): Promise<bigint[]> {
  return readIntegers(chain, strategies.map(priceCall), at)
}

/** Scaled balances. */
export function shares(chain: Chain, queries: readonly SharesQuery[], at?: number): Promise<bigint[]> {
  return readIntegers(chain, queries.map(sharesCall), at)
}

/**
 * APY from the reserve's current liquidity rate; TVL is the aToken supply; liquidity is the underlying that is not lent
 * out.
 */
export async function rates(chain: Chain, queries: readonly RatesQuery[], at?: BlockTime): Promise<Rates[]> {
  const strategies = queries.map(({ strategy }) => strategy)
  const results = await requireEvmChain(chain).multicall(strategies.flatMap(reserveCalls), at?.number)
  return strategies.map((strategy, i) => {
    const { liquidityRate, ...state } = reserveStateFrom(strategy, resultsOf(results, i))
    // The float drops nine digits of the fraction, none of which anyone could earn.
    return { ...state, apy: apyFromRate(Number(liquidityRate) / 1e27) }
  })
}

/** What an owner could withdraw is the position, as far as the reserve holds tokens that are not lent out. */
export async function positions(chain: Chain, queries: readonly SharesQuery[]): Promise<PositionReading[]> {
  if (queries.length === 0) return []
  const strategies = [...new Map(queries.map(({ strategy }) => [strategy.id, strategy])).values()]
  const owned = queries.map(sharesCall)
  const results = await requireEvmChain(chain).multicall([...owned, ...strategies.flatMap(reserveCalls)])
  const states = new Map(
    strategies.map((strategy, i) => [
      strategy.id,
      reserveStateFrom(strategy, resultsOf(results.slice(owned.length), i)),
    ]),
  )
  return queries.map(({ strategy }, i) => {
    const { price, liquidity, withdrawals } = states.get(strategy.id)!
    const shares = integer(results[i], owned[i]!)
    const withdrawable = withdrawals === 'paused' ? 0n : minAmount(rayMul(shares, price), liquidity)
    return { shares, price, withdrawable }
  })
}

function resultsOf(results: readonly unknown[], index: number): readonly unknown[] {
  return results.slice(index * RESERVE_CALLS, (index + 1) * RESERVE_CALLS)
}

function sharesCall({ strategy, owner }: SharesQuery): ContractRead {
  return { address: strategy.params.aToken!, abi: aTokenAbi, functionName: 'scaledBalanceOf', args: [owner] }
}
