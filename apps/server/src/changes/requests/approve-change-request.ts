import { type Transact, transactOn } from '../../database/index.ts'
import { type Explanation, requireApprover } from '../../identity/index.ts'
import { Failure } from '../../kernel/index.ts'
import type { ChangeParts } from '../parts.ts'
import { advanceChangeRequest } from './advance-change-request.ts'
import { requireOpen, requireReadable } from './change-request.ts'
import { countChangeApprovals } from './count-change-approvals.ts'
import { type ChangeRequestRef, lockChangeRequest } from './lock-change-request.ts'
import { type ChangeRequestView, getChangeRequest } from './read-change-requests.ts'
import { recordChangeDecision } from './record-change-decision.ts'
import { refuseOwnRise } from './refuse-concerned.ts'

export interface ChangeDecisionInput extends ChangeRequestRef {
  /** The member who decides. */
  readonly userId: number
  readonly explanation?: Explanation | undefined
}

/**
 * Approves a change request. With the last approval the cooling-off period begins. All approvals are counted again each
 * time, by the members of that moment; if one was lost meanwhile, the period begins again with the approval that makes
 * up for it. A second approval by the same person changes nothing, unless it adds an explanation.
 *
 * Errors: NOT_FOUND, CONFLICT (no longer open, or unreadable), FORBIDDEN (this user requested the change, generated the key that did,
 * would get more rights by it, or may not approve yet).
 */
export async function approveChangeRequest(
  parts: ChangeParts,
  input: ChangeDecisionInput,
  transact: Transact<ChangeRequestView> = transactOn(parts.db),
): Promise<ChangeRequestView> {
  return await transact(async (tx) => {
    const at = parts.clock.now()
    const { organizationId, userId, explanation } = input
    let request = await lockChangeRequest(tx, parts, input)
    requireOpen(request, at)
    requireReadable(request)
    if (userId === request.requesterUserId) throw ownChangeRequest(request.id)
    await refuseOwnRise(tx, request, userId)
    await requireApprover(tx, at, { organizationId, userId })
    if (request.state === 'approved' && (await countChangeApprovals(tx, request)) < request.requiredApprovals)
      request = await advanceChangeRequest(tx, request, 'approvals_lost', at)
    await recordChangeDecision(tx, { request, userId, decision: 'approve', at, explanation })
    if (request.state === 'requested' && (await countChangeApprovals(tx, request)) >= request.requiredApprovals)
      await advanceChangeRequest(tx, request, 'approved', at)
    return await getChangeRequest({ ...parts, db: tx }, input)
  })
}

function ownChangeRequest(changeRequestId: number): Failure {
  return new Failure('FORBIDDEN', {
    message:
      'You requested this change, yourself or with a key or secret that you received; another member must approve it.',
    details: { reason: 'own_change_request', changeRequestId },
  })
}
