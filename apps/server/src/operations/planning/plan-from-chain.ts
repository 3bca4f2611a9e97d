import type { Chain } from '../../chains/index.ts'
import { type Transact, transactOn } from '../../database/index.ts'
import type { Strategy } from '../../venues/index.ts'
import type { Wallet } from '../../wallets/index.ts'
import { operationsToSupersede } from '../lifecycle/conflicts/plan-conflicts.ts'
import { chainOf, type Parts } from '../lifecycle/parts.ts'
import type { Operation } from '../lifecycle/states/operation.ts'
import { commitPlan, type OperationPlan } from './commit-plan.ts'
import { findPlanTarget, type PlanTargetInput } from './find-plan-target.ts'
import { readPlanningPrecheck } from './precheck.ts'
import { type PreparedSteps, prepareSteps } from './prepare-steps.ts'

/** What the chain says there is to do now. */
export type ChainPlan = Pick<OperationPlan, 'type' | 'amount' | 'plannedValue'> & Pick<PreparedSteps, 'steps'>

/** Reads it. It refuses with a failure if there is nothing to do. */
export type ReadChainPlan = (chain: Chain, strategy: Strategy, wallet: Wallet) => Promise<ChainPlan>

/**
 * Plans an operation whose amount the chain says, not the client. At most two HTTP calls to the chain and one database
 * transaction.
 *
 * Errors: those of {@link findPlanTarget}; those of `read`, OPERATION_IN_PROGRESS, INSUFFICIENT_GAS, SIMULATION_FAILED,
 * CHAIN_UNAVAILABLE. A refused plan changes nothing.
 */
export async function planFromChain(
  parts: Parts,
  input: PlanTargetInput,
  read: ReadChainPlan,
  transact: Transact<Operation> = transactOn(parts.db),
): Promise<Operation> {
  const target = await findPlanTarget(parts, input)
  const { strategy, wallet } = target
  const chain = chainOf(parts, strategy.blockchain)
  const [{ steps, ...plan }, senderState] = await Promise.all([
    read(chain, strategy, wallet),
    chain.senderState(wallet.address),
  ])
  operationsToSupersede((await readPlanningPrecheck(parts, wallet, strategy.tokenAddress)).unfinished, input.ifBusy)
  const prepared = await prepareSteps(chain, wallet.address, steps, senderState)
  const { requestedBy, ifBusy } = input
  return commitPlan(parts, { ...plan, target, chain, prepared, requestedBy, ifBusy }, transact)
}
