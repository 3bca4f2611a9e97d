import type { SvmInstruction } from '../../chains/index.ts'
import { formatAmount } from '../format-amount.ts'
import type { PlanStep, Strategy } from '../port.ts'

/** The one transaction of a supply. */
export function supplyStep(strategy: Strategy, amount: bigint, instructions: readonly SvmInstruction[]): PlanStep {
  const description = `Supply ${formatAmount(strategy, amount)} to ${strategy.name}`
  return { kind: 'supply', description, call: { family: 'svm', instructions } }
}

/** The one transaction of a withdrawal. */
export function unwindStep(
  strategy: Strategy,
  amount: bigint | 'full',
  instructions: readonly SvmInstruction[],
): PlanStep {
  const amountText = amount === 'full' ? 'everything' : formatAmount(strategy, amount)
  const description = `Withdraw ${amountText} from ${strategy.name}`
  return { kind: 'unwind', description, call: { family: 'svm', instructions } }
}
