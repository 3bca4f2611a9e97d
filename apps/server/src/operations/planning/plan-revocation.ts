import { type Transact, transactOn } from '../../database/index.ts'
import { revocationStep } from '../../venues/index.ts'
import type { Operation } from '../lifecycle/operation.ts'
import { chainOf, type Parts } from '../lifecycle/parts.ts'
import { operationsToSupersede } from '../lifecycle/plan-conflicts.ts'
import { commitPlan } from './commit-plan.ts'
import { findPlanTarget, type PlanTargetInput } from './find-plan-target.ts'
import { requireAllowance } from './left-allowance-on-chain.ts'
import { readPlanningPrecheck } from './precheck.ts'
import { prepareSteps } from './prepare-steps.ts'

/**
 * Plans a client's revocation of the whole allowance that a wallet has given a strategy's contract, as the chain has it
 * now (rule 9). It moves nothing and reserves nothing. It supersedes as every plan does, so a waiting supply that was to
 * use the allowance ends. At most two HTTP calls to the chain and one database transaction.
 *
 * Errors: those of {@link findPlanTarget}; ALLOCATION_NOT_FOUND (nothing to revoke), OPERATION_IN_PROGRESS,
 * INSUFFICIENT_GAS, SIMULATION_FAILED, CHAIN_UNAVAILABLE. A refused plan changes nothing.
 */
export async function planRevocation(
  parts: Parts,
  input: PlanTargetInput,
  transact: Transact<Operation> = transactOn(parts.db),
): Promise<Operation> {
  const target = await findPlanTarget(parts, input)
  const { strategy, wallet } = target
  const chain = chainOf(parts, strategy.blockchain)
  const [amount, senderState] = await Promise.all([
    requireAllowance(chain, strategy, wallet),
    chain.senderState(wallet.address),
  ])
  operationsToSupersede((await readPlanningPrecheck(parts.db, wallet, strategy.tokenAddress)).unfinished, input.ifBusy)
  const prepared = await prepareSteps(chain, wallet.address, [revocationStep(strategy)], senderState)
  const { requestedBy, ifBusy } = input
  return commitPlan(parts, { target, chain, type: 'REVOKE', amount, prepared, requestedBy, ifBusy }, transact)
}
