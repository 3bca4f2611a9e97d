import type { Tx } from '../../database/index.ts'
import type { Operation } from '../lifecycle/operation.ts'

export interface Decision {
  readonly operation: Operation
  readonly userId: number
  readonly decision: 'approve' | 'reject'
  readonly at: Date
}

/** Records who approved or rejected an operation, and when. A repeated decision changes nothing (contract 7). */
export async function recordDecision(
  tx: Tx,
  { operation: { organizationId, operationId }, userId, decision, at }: Decision,
): Promise<void> {
  await tx
    .insertInto('operation_approvals')
    .values({
      organization_id: organizationId,
      operation_id: operationId,
      user_id: userId,
      decision,
      created_at: at,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['organization_id', 'operation_id', 'user_id'])
        .doUpdateSet({ decision })
        .where('operation_approvals.decision', '<>', decision),
    )
    .execute()
}
