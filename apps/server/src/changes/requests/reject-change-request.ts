import { type Transact, transactOn } from '../../database/index.ts'
import type { ChangeParts } from '../parts.ts'
import { advanceChangeRequest } from './advance-change-request.ts'
import type { ChangeDecisionInput } from './approve-change-request.ts'
import { requireOpen } from './change-request.ts'
import { lockChangeRequest } from './lock-change-request.ts'
import { type ChangeRequestView, getChangeRequest } from './read-change-requests.ts'
import { recordChangeDecision } from './record-change-decision.ts'
import { refuseConcerned } from './refuse-concerned.ts'

/**
 * Rejects a change request, including an approved one. One rejection ends it. Errors: NOT_FOUND, CONFLICT (no longer open),
 * FORBIDDEN (the change is about this user).
 */
export async function rejectChangeRequest(
  parts: ChangeParts,
  input: ChangeDecisionInput,
  transact: Transact<ChangeRequestView> = transactOn(parts.db),
): Promise<ChangeRequestView> {
  return await transact(async (tx) => {
    const at = parts.clock.now()
    const request = await lockChangeRequest(tx, parts, input)
    requireOpen(request, at)
    const { userId, explanation } = input
    refuseConcerned(request, userId)
    await recordChangeDecision(tx, { request, userId, decision: 'reject', at, explanation })
    await advanceChangeRequest(tx, request, 'rejected', at)
    return await getChangeRequest({ ...parts, db: tx }, input)
  })
}
