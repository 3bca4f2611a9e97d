import type { Chain } from '../../chains/index.ts'
import { type Transact, transactOn } from '../../database/index.ts'
import { acceptPositive, Failure, type Parsed } from '../../kernel/index.ts'
import { type PositionReading, probeWithdrawable, type Strategy, venueFor } from '../../venues/index.ts'
import type { Wallet } from '../../wallets/index.ts'
import { operationsToSupersede } from '../lifecycle/conflicts/plan-conflicts.ts'
import { chainOf, type Parts } from '../lifecycle/parts.ts'
import type { Operation } from '../lifecycle/states/operation.ts'
import { commitPlan } from './commit-plan.ts'
import { explainIlliquidity } from './explain-illiquidity.ts'
import { findPlanTarget, type PlanTargetInput } from './find-plan-target.ts'
import { readPlanningPrecheck } from './precheck.ts'
import { prepareSteps } from './prepare-steps.ts'
import { requireBalance } from './reserve-funds.ts'

export interface PlanUnwind extends PlanTargetInput {
  /** Base units, or the whole position. */
  readonly amount: Parsed<bigint> | 'full'
}

/**
 * Plans a withdrawal, even from paused and deprecated strategies (spec 4.6, contract 4). At most two HTTP calls to the
 * chain and one database transaction.
 *
 * Errors: those of {@link findPlanTarget}; ALLOCATION_NOT_FOUND, INVALID_AMOUNT, OPERATION_IN_PROGRESS,
 * INSUFFICIENT_BALANCE (amount exceeds the position), INSUFFICIENT_GAS, SIMULATION_FAILED, CHAIN_UNAVAILABLE. A refused
 * plan changes nothing.
 */
export async function planUnwind(
  parts: Parts,
  input: PlanUnwind,
  transact: Transact<Operation> = transactOn(parts.db),
): Promise<Operation> {
  const target = await findPlanTarget(parts, input)
  const { strategy, wallet } = target
  const chain = chainOf(parts, strategy.blockchain)

  const venue = venueFor(strategy.protocol)
  const [position, senderState] = await Promise.all([
    requirePosition(chain, strategy, wallet),
    chain.senderState(wallet.address),
  ])
  const amount = input.amount === 'full' ? null : acceptPositive(input.amount)
  operationsToSupersede((await readPlanningPrecheck(parts, wallet, strategy.tokenAddress)).unfinished, input.ifBusy)
  if (amount !== null) requireBalance(amount, position.worth, strategy.tokenDecimals)

  const steps = await venue.planUnwind(chain, {
    strategy,
    owner: wallet.address,
    amount: amount ?? 'full',
    shares: position.shares,
  })
  const prepared = await explainIlliquidity(prepareSteps(chain, wallet.address, steps, senderState), {
    strategy,
    position,
    amount,
  })
  const { requestedBy, ifBusy } = input
  const plannedValue = amount ?? position.worth
  return commitPlan(
    parts,
    { target, chain, type: 'UNWIND', amount, plannedValue, prepared, requestedBy, ifBusy },
    transact,
  )
}

/**
 * The position to withdraw from, its value, and how to find out how much of it can be withdrawn now. Shares may be finer than the token, and less than one base unit cannot
 * be paid out. Errors: ALLOCATION_NOT_FOUND, CHAIN_UNAVAILABLE.
 */
export async function requirePosition(chain: Chain, strategy: Strategy, wallet: Wallet) {
  const reading = await readPosition(chain, strategy, wallet)
  const { shares, price } = reading
  const worth = venueFor(strategy.protocol).valueOf(shares, price)
  if (worth === 0n && (shares === 0n || price > 0n)) throw new Failure('ALLOCATION_NOT_FOUND')
  const query = { strategy, owner: wallet.address }
  return { shares, worth, findWithdrawable: () => probeWithdrawable(chain, query, reading) }
}

/** The position on chain now. The chain, not the ledger, decides how much can be withdrawn. */
export async function readPosition(chain: Chain, strategy: Strategy, wallet: Wallet): Promise<PositionReading> {
  const [position] = await venueFor(strategy.protocol).positions(chain, [{ strategy, owner: wallet.address }])
  return position!
}
