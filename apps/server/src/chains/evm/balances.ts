import { erc20Abi, multicall3Abi } from 'viem'
import type { BalanceQuery } from '../port/chain.ts'
import type { ContractRead } from '../port/families.ts'
import { requestRejected } from '../rpc/rpc.ts'
import type { EvmContext } from './context.ts'
import { MULTICALL3, multicall } from './multicall.ts'

/**
 * Balances in base units, in query order; native ones through Multicall3's own reader. An unreadable balance is never
 * guessed: the whole read fails with CHAIN_UNAVAILABLE.
 */
export async function balances(context: EvmContext, queries: readonly BalanceQuery[], at?: number): Promise<bigint[]> {
  const results = await multicall(context, queries.map(toRead), at)
  return results.map((balance, index) => {
    if (typeof balance === 'bigint') return balance
    const { owner, token } = queries[index] ?? {}
    throw requestRejected('balanceOf', `${token} did not return the balance of ${owner}`)
  })
}

function toRead({ owner, token }: BalanceQuery): ContractRead {
  return token === 'native'
    ? { address: MULTICALL3, abi: multicall3Abi, functionName: 'getEthBalance', args: [owner] }
    : { address: token, abi: erc20Abi, functionName: 'balanceOf', args: [owner] }
}
