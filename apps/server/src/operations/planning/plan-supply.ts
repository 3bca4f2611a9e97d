import { type Transact, transactOn } from '../../database/index.ts'
import { acceptPositive, Failure, Money, type Parsed } from '../../kernel/index.ts'
import { requireOffered, type Strategy, venueFor } from '../../venues/index.ts'
import { operationsToSupersede } from '../lifecycle/conflicts/plan-conflicts.ts'
import { chainOf, type Parts, tokenOf } from '../lifecycle/parts.ts'
import type { Operation } from '../lifecycle/states/operation.ts'
import { commitPlan } from './commit-plan.ts'
import { findPlanTarget, type PlanTargetInput } from './find-plan-target.ts'
import { readPlanningPrecheck } from './precheck.ts'
import { prepareSteps } from './prepare-steps.ts'
import { refusalsFirst } from './refusals-first.ts'
import { requireBalance } from './reserve-funds.ts'

export interface PlanSupply extends PlanTargetInput {
  /** Base units. */
  readonly amount: Parsed<bigint>
  readonly tokenAddress: string
}

/**
 * Plans a supply (spec 4.6, 3.2). Checks run in the order of contract 4. At most two HTTP calls to the chain and one
 * database transaction.
 *
 * Errors: those of {@link findPlanTarget}; STRATEGY_NOT_ACTIVE, INVALID_TOKEN, TOKEN_MISMATCH, INVALID_AMOUNT,
 * AMOUNT_OUT_OF_BOUNDS, OPERATION_IN_PROGRESS, INSUFFICIENT_BALANCE, INSUFFICIENT_GAS, SIMULATION_FAILED,
 * CHAIN_UNAVAILABLE. A refused plan changes nothing.
 */
export async function planSupply(
  parts: Parts,
  input: PlanSupply,
  transact: Transact<Operation> = transactOn(parts.db),
): Promise<Operation> {
  const target = await findPlanTarget(parts, input)
  const { strategy, wallet } = target
  const chain = chainOf(parts, strategy.blockchain)
  requireOffered(strategy)

  const tokenAddress = chain.normalizeAddress(input.tokenAddress)
  if (!chain.network.tokens.some(({ address }) => address === tokenAddress)) throw new Failure('INVALID_TOKEN')
  if (tokenAddress !== strategy.tokenAddress) throw new Failure('TOKEN_MISMATCH')
  const amount = acceptPositive(input.amount)
  requireWithinBounds(amount, strategy)

  const precheck = await readPlanningPrecheck(parts, wallet, strategy.tokenAddress)
  operationsToSupersede(precheck.unfinished, input.ifBusy)
  const token = tokenOf(chain, strategy.tokenAddress)
  const [[onChainBalance = 0n], senderState, stepsOf] = await Promise.all([
    chain.balances([{ owner: wallet.address, token: strategy.tokenAddress }], undefined, precheck.settledBlock),
    chain.senderState(wallet.address),
    refusalsFirst(
      venueFor(strategy.protocol).planSupply(chain, {
        strategy,
        owner: wallet.address,
        amount,
        needsZeroAllowance: token.needsZeroAllowance,
      }),
    ),
  ])
  requireBalance(amount, onChainBalance - precheck.reservedByAgents, strategy.tokenDecimals)
  const prepared = await prepareSteps(chain, wallet.address, stepsOf(), senderState)
  const { requestedBy, ifBusy } = input
  const plan = { target, chain, type: 'SUPPLY', amount, prepared, requestedBy, ifBusy, onChainBalance } as const
  return commitPlan(parts, plan, transact)
}

/** Error: AMOUNT_OUT_OF_BOUNDS with the bounds, as {@link Money}. */
export function requireWithinBounds(
  amount: bigint,
  { minDeposit, maxDeposit, tokenDecimals }: Pick<Strategy, 'minDeposit' | 'maxDeposit' | 'tokenDecimals'>,
): void {
  if ((minDeposit === null || amount >= minDeposit) && (maxDeposit === null || amount <= maxDeposit)) return
  const moneyOf = (bound: bigint | null) => (bound === null ? null : new Money(bound, tokenDecimals))
  throw new Failure('AMOUNT_OUT_OF_BOUNDS', {
    details: { minDeposit: moneyOf(minDeposit), maxDeposit: moneyOf(maxDeposit) },
  })
}
