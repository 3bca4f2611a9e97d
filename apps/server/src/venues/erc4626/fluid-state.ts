import type { Address } from 'viem'
import type { Chain, ContractRead } from '../../chains/index.ts'
import { minAmount } from '../../kernel/index.ts'
import { ContractUnavailableError } from '../contract-unavailable.ts'
import { CLOCK } from '../evm/clock.ts'
import { erc20Abi } from '../evm/erc20.ts'
import { integer, requireEvmChain } from '../evm/reader.ts'
import type { DepositTerms, Strategy } from '../port.ts'
import { fluidAbi } from './abi.ts'
import { fluidSlots, fluidWithdrawable, isFluidPaused } from './fluid-limit.ts'

/** What Fluid's Liquidity contract pays all depositors of an fToken together. */
export interface FluidState {
  /** What its withdrawal limit and its tokens allow, even while it is paused. */
  readonly liquidity: bigint
  readonly isPaused: boolean
}

/** Whether the vault is one of Fluid's fTokens. */
export const isFluid = ({ params }: Strategy): boolean => params.cash === 'fluid'

/**
 * The state of each fToken at a block or the latest, by the strategy's id. Two requests, none without an fToken. The
 * vault names the Liquidity contract, and the words are read from there as the vault itself reads them.
 */
export async function readFluidStates(
  chain: Chain,
  strategies: readonly Strategy[],
  at?: number,
): Promise<ReadonlyMap<number, FluidState>> {
  const fluid = [...new Map(strategies.filter(isFluid).map((strategy) => [strategy.id, strategy])).values()]
  if (fluid.length === 0) return new Map()
  const evm = requireEvmChain(chain)
  const data = await evm.multicall(fluid.map(dataCall), at)
  const sources = fluid.map((strategy, i) => sourceIn(strategy, data[i]))
  const [now, ...results] = await evm.multicall([CLOCK, ...sources.flatMap(({ calls }) => calls)], at)
  const time = integer(now, CLOCK)
  return new Map(
    sources.map(({ id, price, calls }, i) => {
      const [status, prices, supply, held] = calls.map((call, n) => integer(results[i * calls.length + n], call))
      const words = { status: status!, prices: prices!, supply: supply! }
      const liquidity = minAmount(fluidWithdrawable(words, price, time), held!)
      return [id, { liquidity, isPaused: isFluidPaused(words) }]
    }),
  )
}

/** The terms of a vault, which do not show that Fluid paused it. */
export function closedWhilePaused(state: FluidState | undefined, terms: DepositTerms): DepositTerms {
  return state?.isPaused ? { state: 'paused', room: 0n } : terms
}

/** Index of `getData`'s results. */
export const LIQUIDITY = 0
const LIQUIDITY_PRICE = 7

export function dataCall({ params }: Strategy): ContractRead {
  return { address: params.vault!, abi: fluidAbi, functionName: 'getData', args: [] }
}

function sourceIn({ id, params, tokenAddress }: Strategy, result: unknown) {
  const data: readonly unknown[] = Array.isArray(result) ? result : []
  const [liquidity, price] = [data[LIQUIDITY], data[LIQUIDITY_PRICE]]
  if (typeof liquidity !== 'string' || typeof price !== 'bigint')
    throw new ContractUnavailableError(params.vault!, 'getData')
  const slots = fluidSlots(params.vault as Address, tokenAddress as Address)
  const word = (slot: string): ContractRead => {
    return { address: liquidity, abi: fluidAbi, functionName: 'readFromStorage', args: [slot] }
  }
  const held = { address: tokenAddress, abi: erc20Abi, functionName: 'balanceOf', args: [liquidity] }
  return { id, price, calls: [word(slots.status), word(slots.prices), word(slots.supply), held] }
}
