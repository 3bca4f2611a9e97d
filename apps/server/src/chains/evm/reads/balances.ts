import { erc20Abi, multicall3Abi, parseAbi } from 'viem'
import type { BalanceQuery } from '../../port/chain.ts'
import type { ContractRead } from '../../port/families.ts'
import { requestRejected } from '../../rpc/rpc.ts'
import type { EvmContext } from '../context.ts'
import { MULTICALL3, multicall } from './multicall.ts'

/**
 * Balances in base units, in query order; native ones through Multicall3's own reader. An unreadable balance is never
 * guessed: the whole read fails with CHAIN_UNAVAILABLE.
 * The block that the node reads at is part of the same call.
 */
export async function balances(
  context: EvmContext,
  queries: readonly BalanceQuery[],
  at?: number,
  atLeast?: number,
): Promise<bigint[]> {
  const reads = queries.map(toRead)
  if (atLeast === undefined) return balancesFrom(queries, await multicall(context, reads, at))
  const [number, ...results] = await multicall(context, [BLOCK_NUMBER, ...reads], at)
  if (typeof number !== 'bigint' || number < BigInt(atLeast)) {
    throw requestRejected('balanceOf', `the node is at block ${String(number)}, before ${atLeast}`)
  }
  return balancesFrom(queries, results)
}

function balancesFrom(queries: readonly BalanceQuery[], results: readonly unknown[]): bigint[] {
  return results.map((balance, index) => {
    if (typeof balance === 'bigint') return balance
    const { owner, token } = queries[index] ?? {}
    throw requestRejected('balanceOf', `${token} did not return the balance of ${owner}`)
  })
}

const BLOCK_NUMBER: ContractRead = {
  address: MULTICALL3,
  abi: parseAbi(['function getBlockNumber() view returns (uint256)']),
  functionName: 'getBlockNumber',
}

function toRead({ owner, token }: BalanceQuery): ContractRead {
  return token === 'native'
    ? { address: MULTICALL3, abi: multicall3Abi, functionName: 'getEthBalance', args: [owner] }
    : { address: token, abi: erc20Abi, functionName: 'balanceOf', args: [owner] }
}
