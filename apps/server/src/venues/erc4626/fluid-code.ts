import { getAddress, isAddress, toFunctionSelector, zeroAddress } from 'viem'
import type { ContractRead, EvmChain } from '../../chains/index.ts'
import type { Strategy } from '../port.ts'
import { fluidAbi, operateAbi } from './abi.ts'
import { dataCall, isFluid, LIQUIDITY } from './fluid-state.ts'

/**
 * The Liquidity contract of each fToken, by the strategy's id; `undefined`: the vault does not name it. One request, none
 * without an fToken.
 */
export async function readFluidLayers(
  chain: EvmChain,
  strategies: readonly Strategy[],
): Promise<ReadonlyMap<number, string | undefined>> {
  const fluid = strategies.filter(isFluid)
  if (fluid.length === 0) return new Map()
  const results = await chain.multicall(fluid.map(dataCall))
  return new Map(fluid.map(({ id }, index) => [id, addressOf(results[index], LIQUIDITY)]))
}

/**
 * Asks a Liquidity contract for the code through which all money of its users moves. It is a proxy that looks code up by
 * the selector of the function, and the slot of ERC-1967 names what never runs.
 */
export function operateCall(layer: string): ContractRead {
  const args = [toFunctionSelector(operateAbi[0])]
  return { address: layer, abi: fluidAbi, functionName: 'getSigsImplementation', args }
}

/** In the result of {@link operateCall}: `null` where no code runs; `undefined`: the contract did not say. */
export function operateIn(result: unknown): string | null | undefined {
  if (typeof result !== 'string' || !isAddress(result, { strict: false })) return undefined
  return result === zeroAddress ? null : getAddress(result)
}

function addressOf(result: unknown, index: number): string | undefined {
  const address: unknown = Array.isArray(result) ? result[index] : undefined
  return typeof address === 'string' && isAddress(address, { strict: false }) ? address : undefined
}
