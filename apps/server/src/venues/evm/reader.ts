import type { Chain, ContractRead, EvmChain } from '../../chains/index.ts'
import { assert } from '../../kernel/index.ts'
import { ContractUnavailableError } from '../contract-unavailable.ts'

/** The chain as EVM venues need it. A strategy of theirs on another family is a defect of the catalogue. */
export function requireEvmChain(chain: Chain): EvmChain {
  assert(chain.network.family === 'evm' && 'multicall' in chain, `${chain.network.blockchain} is not an EVM chain`)
  return chain as EvmChain
}

/**
 * Unsigned integers from contracts, in the order asked, in one batched read. A contract that does not answer with one
 * (it reverts, or is not there) throws {@link ContractUnavailableError}: a guess in its place would move money (rule 12).
 */
export async function readIntegers(chain: Chain, calls: readonly ContractRead[], at?: number): Promise<bigint[]> {
  if (calls.length === 0) return []
  const answers = await requireEvmChain(chain).multicall(calls, at)
  return calls.map((call, i) => integer(answers[i], call))
}

/** The answer to `call` if it is an integer; throws {@link ContractUnavailableError} otherwise. */
export function integer(answer: unknown, call: ContractRead): bigint {
  if (typeof answer === 'bigint') return answer
  throw new ContractUnavailableError(call.address, call.functionName)
}
