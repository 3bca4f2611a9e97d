import { erc20Abi, multicall3Abi } from 'viem'
import type { BalanceQuery } from '../port/chain.ts'
import type { ContractRead } from '../port/families.ts'
import { requestRejected } from '../rpc/rpc.ts'
import type { EvmContext } from './context.ts'
import { MULTICALL3, multicall } from './multicall.ts'

/**
 * Balances in base units, in the order asked, native ones by Multicall3's own reader. A balance that cannot be read is
 * never made up: the whole reading fails with CHAIN_UNAVAILABLE.
 */
export async function balances(context: EvmContext, asked: readonly BalanceQuery[], at?: number): Promise<bigint[]> {
  const found = await multicall(context, asked.map(toRead), at)
  return found.map((balance, index) => {
    if (typeof balance === 'bigint') return balance
    const { owner, token } = asked[index] ?? {}
    throw requestRejected('balanceOf', `${token} does not tell the balance of ${owner}`)
  })
}

function toRead({ owner, token }: BalanceQuery): ContractRead {
  return token === 'native'
    ? { address: MULTICALL3, abi: multicall3Abi, functionName: 'getEthBalance', args: [owner] }
    : { address: token, abi: erc20Abi, functionName: 'balanceOf', args: [owner] }
}
