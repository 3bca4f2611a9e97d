import { sql } from 'kysely'
import type { Tx } from '../../database/index.ts'
import { type Explanation, explanationColumns, IS_EXPLAINED, replacedByDecision } from '../../identity/index.ts'
import type { ChangeRequest } from './change-request.ts'

export interface RecordedDecision {
  readonly request: ChangeRequest
  readonly userId: number
  readonly decision: 'approve' | 'reject'
  readonly at: Date
  readonly explanation?: Explanation | undefined
}

/**
 * Records who approved or rejected a change request, when, and why. A repeated decision changes nothing, unless it is
 * explained: the latest explanation counts, and the time stays.
 */
export async function recordChangeDecision(
  tx: Tx,
  { request: { organizationId, id }, userId, decision, at, explanation }: RecordedDecision,
): Promise<void> {
  const explained = explanationColumns(explanation)
  await tx
    .insertInto('change_decisions')
    .values({
      organization_id: organizationId,
      change_request_id: id,
      user_id: userId,
      decision,
      created_at: at,
      ...explained,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['organization_id', 'change_request_id', 'user_id'])
        .doUpdateSet({
          decision,
          ...replacedByDecision('change_decisions', { created_at: at }, sql`false`),
          ...replacedByDecision('change_decisions', explained, IS_EXPLAINED),
        })
        .where(({ eb, or }) => or([eb('change_decisions.decision', '<>', decision), IS_EXPLAINED])),
    )
    .execute()
}
