import type { Chain, ContractRead } from '../../chains/index.ts'
import { apyFromRate } from '../apy.ts'
import { erc20Abi } from '../evm/erc20.ts'
import { integer, readIntegers, requireEvmChain } from '../evm/reader.ts'
import type { BlockTime, Rates, RatesQuery, SharesQuery, Strategy } from '../port.ts'
import { aTokenAbi, poolAbi } from './abi.ts'

/** Price per scaled share, a ray: the index at that block's second, interest not yet written included. */
export function prices(chain: Chain, strategies: readonly Strategy[], at?: number): Promise<bigint[]> {
  return readIntegers(chain, strategies.map(priceCall), at)
}

/** Scaled balances. */
export function shares(chain: Chain, asked: readonly SharesQuery[], at?: number): Promise<bigint[]> {
  const calls = asked.map(({ strategy, owner }) => ({
    address: strategy.params.aToken!,
    abi: aTokenAbi,
    functionName: 'scaledBalanceOf',
    args: [owner],
  }))
  return readIntegers(chain, calls, at)
}

/**
 * The reserve's current liquidity rate, a ray per year paid by the second; all aTokens; the underlying that is not
 * lent out.
 */
export async function rates(chain: Chain, asked: readonly RatesQuery[], at?: BlockTime): Promise<Rates[]> {
  const calls = asked.flatMap(({ strategy }) => rateCalls(strategy))
  const answers = await requireEvmChain(chain).multicall(calls, at?.number)
  return asked.map(({ strategy }, i) => {
    const [price, supply, idle, reserve] = answers.slice(i * 4, i * 4 + 4)
    const [priceRead, supplyRead, idleRead, reserveRead] = rateCalls(strategy)
    const rate = integer((reserve as { currentLiquidityRate?: bigint } | undefined)?.currentLiquidityRate, reserveRead)
    return {
      price: integer(price, priceRead),
      tvl: integer(supply, supplyRead),
      liquidity: integer(idle, idleRead),
      // Nine digits of the fraction's mantissa are lost and none that anybody could earn.
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
