import type { Chain, ContractRead, EvmChain } from '../../chains/index.ts'
import { assert } from '../../kernel/index.ts'
import { ContractUnavailableError } from '../contract-unavailable.ts'

/** The chain as EVM venues need it. An EVM strategy on another family is a defect of the catalogue. */
export function requireEvmChain(chain: Chain): EvmChain {
  assert(chain.network.family === 'evm' && 'multicall' in chain, `${chain.network.blockchain} is not an EVM chain`)
  return chain as EvmChain
}

/**
 * Unsigned integers from contracts, in call order, in one batched read. If a contract returns none (it reverts, or does
 * not exist), throws {@link ContractUnavailableError}: a guess in its place would move money (rule 12).
 */
export async function readIntegers(chain: Chain, calls: readonly ContractRead[], at?: number): Promise<bigint[]> {
  if (calls.length === 0) return []
  const results = await requireEvmChain(chain).multicall(calls, at)
  return calls.map((call, i) => integer(results[i], call))
}

/** The result of `call` if it is an integer; otherwise throws {@link ContractUnavailableError}. */
export function integer(result: unknown, call: ContractRead): bigint {
  if (typeof result === 'bigint') return result
  throw new ContractUnavailableError(call.address, call.functionName)
}
