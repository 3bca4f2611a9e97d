import type { Address } from 'viem'
import { type Chain, evmCall } from '../../chains/index.ts'
import { assert } from '../../kernel/index.ts'
import type { PlanStep, Strategy } from '../port.ts'
import { spenderOf } from '../spender.ts'
import { contractCall } from './contract-call.ts'
import { erc20Abi } from './erc20.ts'
import { allowanceCall } from './erc20-allowance.ts'
import { readIntegers } from './reader.ts'

/** How much a contract may take from an owner, and the call with which the owner ends that. */
export interface SpenderAllowance {
  readonly spender: string
  /** Base units. */
  readonly amount: bigint
  readonly revocation: { readonly to: string; readonly data: string }
}

/**
 * The allowance that an owner has given a strategy's contract, in the latest block; `null` where protocols need none.
 * Error: CHAIN_UNAVAILABLE.
 */
export async function readAllowance(chain: Chain, strategy: Strategy, owner: string): Promise<SpenderAllowance | null> {
  const spender = spenderOf(strategy.params)
  if (spender === null) return null
  const [amount] = await readIntegers(chain, [allowanceCall(strategy.tokenAddress, owner, spender)])
  const { to, data } = evmCall(revocationCall(strategy, spender))
  return { spender, amount: amount!, revocation: { to, data } }
}

/** The transaction with which an owner takes back the allowance of a strategy's contract. */
export function revocationStep(strategy: Strategy): PlanStep {
  const spender = spenderOf(strategy.params)
  assert(spender !== null, 'a strategy without a spender has no allowance')
  const description = `Revoke the ${strategy.token} allowance of ${strategy.venueName}`
  return { kind: 'revoke', description, call: revocationCall(strategy, spender) }
}

function revocationCall({ tokenAddress }: Strategy, spender: string) {
  return contractCall(tokenAddress, { abi: erc20Abi, functionName: 'approve', args: [spender as Address, 0n] })
}
