import type { Tx } from '../../database/index.ts'
import type { ChangeRequest } from './change-request.ts'

export interface RecordedDecision {
  readonly request: ChangeRequest
  readonly userId: number
  readonly decision: 'approve' | 'reject'
  readonly at: Date
}

/** Records who approved or rejected a change request, and when. A repeated decision changes nothing. */
export async function recordChangeDecision(
  tx: Tx,
  { request: { organizationId, id }, userId, decision, at }: RecordedDecision,
): Promise<void> {
  await tx
    .insertInto('change_decisions')
    .values({ organization_id: organizationId, change_request_id: id, user_id: userId, decision, created_at: at })
    .onConflict((conflict) =>
      conflict
        .columns(['organization_id', 'change_request_id', 'user_id'])
        .doUpdateSet({ decision, created_at: at })
        .where('change_decisions.decision', '<>', decision),
    )
    .execute()
}
