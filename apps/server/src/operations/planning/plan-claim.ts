import type { Chain } from '../../chains/index.ts'
import { type Transact, transactOn } from '../../database/index.ts'
import { assert, Failure } from '../../kernel/index.ts'
import { type PlannedClaim, type Strategy, venueFor } from '../../venues/index.ts'
import type { Wallet } from '../../wallets/index.ts'
import type { Operation } from '../lifecycle/operation.ts'
import { chainOf, type Parts } from '../lifecycle/parts.ts'
import { operationsToSupersede } from '../lifecycle/plan-conflicts.ts'
import { commitPlan } from './commit-plan.ts'
import { findPlanTarget, type PlanTargetInput } from './find-plan-target.ts'
import { readPlanningPrecheck } from './precheck.ts'
import { prepareSteps } from './prepare-steps.ts'

/**
 * Plans the claim of all that a wallet requested back from a strategy and can claim now. At most two HTTP calls to the
 * chain and one database transaction.
 *
 * Errors: those of {@link findPlanTarget}; ALLOCATION_NOT_FOUND (nothing can be claimed now), OPERATION_IN_PROGRESS,
 * INSUFFICIENT_GAS, SIMULATION_FAILED, CHAIN_UNAVAILABLE. A refused plan changes nothing.
 */
export async function planClaim(
  parts: Parts,
  input: PlanTargetInput,
  transact: Transact<Operation> = transactOn(parts.db),
): Promise<Operation> {
  const target = await findPlanTarget(parts, input)
  const { strategy, wallet } = target
  const chain = chainOf(parts, strategy.blockchain)
  const [claim, senderState] = await Promise.all([
    requireClaim(chain, strategy, wallet),
    chain.senderState(wallet.address),
  ])
  operationsToSupersede((await readPlanningPrecheck(parts.db, wallet, strategy.tokenAddress)).unfinished, input.ifBusy)
  const prepared = await prepareSteps(chain, wallet.address, claim.steps, senderState)
  const { requestedBy, ifBusy } = input
  const amount = claim.amount === 'full' ? null : claim.amount
  const plan = {
    target,
    chain,
    type: 'UNWIND',
    amount,
    plannedValue: claim.worth,
    prepared,
    requestedBy,
    ifBusy,
  } as const
  return commitPlan(parts, plan, transact)
}

export interface ClaimNow extends PlannedClaim {
  /** What it brings now, in base units. */
  readonly worth: bigint
}

/** The claim of all that can be claimed now. Errors: ALLOCATION_NOT_FOUND, CHAIN_UNAVAILABLE. */
export async function requireClaim(chain: Chain, strategy: Strategy, wallet: Wallet): Promise<ClaimNow> {
  const claim = await readClaim(chain, strategy, wallet)
  if (claim) return claim
  throw new Failure('ALLOCATION_NOT_FOUND', {
    message: 'Nothing of the wallet can be claimed from the strategy at the moment.',
    details: { reason: 'nothing_claimable' },
  })
}

/**
 * The claim of what can be claimed now, at most `most` base units where the protocol pays parts; `undefined`: nothing.
 * Error: CHAIN_UNAVAILABLE.
 */
export async function readClaim(
  chain: Chain,
  strategy: Strategy,
  { address: owner }: Pick<Wallet, 'address'>,
  most?: bigint | null,
): Promise<ClaimNow | undefined> {
  const { exits } = venueFor(strategy.protocol)
  if (!exits) return undefined
  const [reading] = await exits.read(chain, [{ strategy, owner }])
  assert(reading !== undefined, 'a reading for each query')
  const { claimable } = reading
  if (claimable === 0n || (most != null && most > claimable)) return undefined
  const amount = most ?? claimable
  return { ...exits.planClaim({ strategy, owner, amount }), worth: amount }
}
