import { type Transact, transactOn } from '../database/index.ts'
import type { Actor } from '../identity/index.ts'
import { type Operation, planMove } from '../operations/index.ts'
import type { WithdrawTarget } from './find-withdraw-target.ts'
import type { RebalanceParts } from './parts.ts'

export interface WithdrawInput {
  readonly target: WithdrawTarget
  /** Base units of the target's token; `null`: the whole position. */
  readonly amount: bigint | null
  readonly requestedBy: Actor
}

/**
 * Plans a withdrawal that a caller requested. The returned funds are not deployed again for a while (spec 3.3, contract
 * 7 and 10). Errors: those of `planMove`.
 */
export function withdraw(
  parts: RebalanceParts,
  input: WithdrawInput,
  transact: Transact<Operation> = transactOn(parts.db),
): Promise<Operation> {
  return planMove(parts, requestOf(input), transact)
}

/** The move that a caller requests. */
export function requestOf({ target, amount, requestedBy }: WithdrawInput) {
  const { organizationId, opWalletId, strategyId } = target
  const reasons = { why: 'The withdrawal was requested.' }
  return {
    organizationId,
    opWalletId,
    strategyId,
    type: 'UNWIND',
    amount,
    origin: 'explicit',
    requestedBy,
    reasons,
  } as const
}
