import { type Address, erc20Abi } from 'viem'
import type { EvmChain } from '../../chains/index.ts'
import { DEPOSIT_PROBES } from '../../kernel/index.ts'
import { contractCall } from '../evm/contract-call.ts'
import type { Strategy } from '../port.ts'
import { vaultAbi } from './abi.ts'
import { ANYONE } from './deposit-terms.ts'

/**
 * What a vault that reports no limit accepts from anyone, in base units; `null`: no bound that the probes reach;
 * `undefined`: the node cannot tell. One simulation: deposits of halving amounts, down to the smallest that counts, each on top of
 * those that worked. What worked in sum is the room, too low by less than the smallest.
 */
export async function simulateDepositRoom(chain: EvmChain, strategy: Strategy): Promise<bigint | null | undefined> {
  const { tokenAddress, tokenDecimals, minDeposit, params } = strategy
  const vault = params.vault!
  const smallest = minDeposit ?? 10n ** BigInt(tokenDecimals)
  const amounts = Array.from({ length: DEPOSIT_PROBES }, (_, index) => smallest << BigInt(DEPOSIT_PROBES - 1 - index))
  const all = amounts.reduce((sum, amount) => sum + amount, 0n)
  const approval = { abi: erc20Abi, functionName: 'approve', args: [vault as Address, all] } as const
  const deposits = amounts.map((amount) =>
    contractCall(vault, { abi: vaultAbi, functionName: 'deposit', args: [amount, ANYONE] }),
  )
  const calls = [contractCall(tokenAddress, approval), ...deposits]
  const [approved, ...worked] = (await chain.simulateFunded(ANYONE, { token: tokenAddress, amount: all }, calls)) ?? []
  if (!approved) return undefined
  if (worked.every((succeeded) => succeeded)) return null
  return amounts.reduce((sum, amount, index) => (worked[index] ? sum + amount : sum), 0n)
}
