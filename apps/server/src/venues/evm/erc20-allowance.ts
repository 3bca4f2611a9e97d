import type { Address } from 'viem'
import type { ContractRead } from '../../chains/index.ts'
import { formatAmount } from '../format-amount.ts'
import type { PlanStep, Strategy } from '../port.ts'
import { contractCall } from './contract-call.ts'
import { erc20Abi } from './erc20.ts'

interface AllowanceChange {
  readonly strategy: Strategy
  readonly spender: string
  /** The spender's name, for descriptions. */
  readonly spenderName: string
  /** Base units. */
  readonly amount: bigint
  /** The current allowance. */
  readonly allowance: bigint
  readonly needsZeroAllowance: boolean
}

/**
 * The approvals before a deposit (rule 9). Exact: a larger allowance is lowered too, so that none of it remains after
 * the deposit. Pure.
 */
export function allowanceSteps({ strategy, spender, spenderName, ...plan }: AllowanceChange): PlanStep[] {
  if (plan.allowance === plan.amount) return []
  const approve = (amount: bigint) =>
    contractCall(strategy.tokenAddress, { abi: erc20Abi, functionName: 'approve', args: [spender as Address, amount] })
  const steps: PlanStep[] = []
  if (plan.needsZeroAllowance && plan.allowance > 0n) {
    const description = `Reset the ${strategy.token} allowance of ${spenderName} to zero`
    steps.push({ kind: 'approve_reset', description, call: approve(0n) })
  }
  const description = `Approve ${formatAmount(strategy, plan.amount)} for ${spenderName}`
  steps.push({ kind: 'approve', description, call: approve(plan.amount) })
  return steps
}

/** Reads the current allowance of `spender` for the token of `owner`, in base units. */
export function allowanceCall(token: string, owner: string, spender: string): ContractRead {
  return { address: token, abi: erc20Abi, functionName: 'allowance', args: [owner, spender] }
}
