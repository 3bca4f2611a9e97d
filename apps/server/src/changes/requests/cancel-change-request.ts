import { type Transact, transactOn } from '../../database/index.ts'
import { Failure } from '../../kernel/index.ts'
import type { ChangeParts } from '../parts.ts'
import { advanceChangeRequest } from './advance-change-request.ts'
import type { ChangeDecisionInput } from './approve-change-request.ts'
import { requireOpen } from './change-request.ts'
import { lockChangeRequest } from './lock-change-request.ts'
import { type ChangeRequestView, getChangeRequest } from './read-change-requests.ts'

/**
 * Cancels the caller's own change request, or one of a key that the caller generated. Errors: NOT_FOUND, CONFLICT (no
 * longer open), FORBIDDEN (somebody else requested it).
 */
export async function cancelChangeRequest(
  parts: ChangeParts,
  input: ChangeDecisionInput,
  transact: Transact<ChangeRequestView> = transactOn(parts.db),
): Promise<ChangeRequestView> {
  return await transact(async (tx) => {
    const at = parts.clock.now()
    const request = await lockChangeRequest(tx, parts, input)
    if (input.userId !== request.requesterUserId)
      throw new Failure('FORBIDDEN', { message: 'Only its requester can cancel a change request; reject it instead.' })
    requireOpen(request, at)
    await advanceChangeRequest(tx, request, 'cancelled', at)
    return await getChangeRequest({ ...parts, db: tx }, input)
  })
}
