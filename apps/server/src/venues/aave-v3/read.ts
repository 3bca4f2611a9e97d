import type { Chain, ContractRead } from '../../chains/index.ts'
import { apyFromRate } from '../apy.ts'
import { erc20Abi } from '../evm/erc20.ts'
import { readAddresses } from '../evm/read-addresses.ts'
import { integer, readIntegers, requireEvmChain } from '../evm/reader.ts'
import type { BlockTime, Rates, RatesQuery, SharesQuery, Strategy } from '../port.ts'
import { aTokenAbi, poolAbi } from './abi.ts'

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
  const calls = queries.map(({ strategy, owner }) => ({
    address: strategy.params.aToken!,
    abi: aTokenAbi,
    functionName: 'scaledBalanceOf',
    args: [owner],
  }))
  return readIntegers(chain, calls, at)
}

/**
 * APY from the reserve's current liquidity rate (rays per year, accrued every second); TVL is the aToken supply;
 * liquidity is the underlying that is not lent out.
 */
export async function rates(chain: Chain, queries: readonly RatesQuery[], at?: BlockTime): Promise<Rates[]> {
  const calls = queries.flatMap(({ strategy }) => rateCalls(strategy))
  const results = await requireEvmChain(chain).multicall(calls, at?.number)
  return queries.map(({ strategy }, i) => {
    const [price, supply, idle, reserve] = results.slice(i * 4, i * 4 + 4)
    const [priceRead, supplyRead, idleRead, reserveRead] = rateCalls(strategy)
    const rate = integer((reserve as { currentLiquidityRate?: bigint } | undefined)?.currentLiquidityRate, reserveRead)
    return {
      price: integer(price, priceRead),
      tvl: integer(supply, supplyRead),
      liquidity: integer(idle, idleRead),
      // The float drops nine digits of the fraction, none of which anyone could earn.
      apy: apyFromRate(Number(rate) / 1e27),
    }
  })
}

function priceCall(strategy: Strategy): ContractRead {
  return {
    address: strategy.params.pool!,
    abi: poolAbi,
    functionName: 'getReserveNormalizedIncome',
    args: [strategy.tokenAddress],
  }
}

function rateCalls(strategy: Strategy): [ContractRead, ContractRead, ContractRead, ContractRead] {
  const aToken = strategy.params.aToken!
  const token = strategy.tokenAddress
  return [
    priceCall(strategy),
    { address: aToken, abi: aTokenAbi, functionName: 'totalSupply' },
    { address: token, abi: erc20Abi, functionName: 'balanceOf', args: [aToken] },
    { address: strategy.params.pool!, abi: poolAbi, functionName: 'getReserveData', args: [token] },
  ]
}
