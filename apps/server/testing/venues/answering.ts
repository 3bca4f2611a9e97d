import type { EvmChain } from '../../src/chains/index.ts'

type Answer = (args: readonly unknown[]) => unknown

/**
 * For tests: the chain, on which the named functions of every contract return something else. `undefined`: they revert.
 */
export function answering(chain: EvmChain, answers: Readonly<Record<string, Answer>>): EvmChain {
  const multicall: EvmChain['multicall'] = async (calls, at) => {
    const results = await chain.multicall(calls, at)
    return calls.map(({ functionName, args }, i) => {
      const answer = answers[functionName]
      return answer ? answer(args ?? []) : results[i]
    })
  }
  return { ...chain, multicall }
}
