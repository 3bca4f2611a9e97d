import type { Database } from '../../database/index.ts'
import { APPROVER_ROLES, type Explanation, explanationFrom } from '../../identity/index.ts'
import type { Operation } from '../lifecycle/states/operation.ts'
import { countApprovals } from './count-approvals.ts'

/** What one member decided about an operation. */
export interface DecisionView extends Explanation {
  readonly userId: number
  readonly email: string
  readonly decision: 'approve' | 'reject'
  readonly at: Date
  readonly isSigned: boolean
  /** Whether it is an approval that counts, by {@link countApprovals}. */
  readonly counts: boolean
}

/**
 * What members decided about an operation, in their order. While it waits for approval, an approval counts by the
 * members of this moment. An operation that needed no approval costs no statement.
 */
export async function listDecisions(db: Database, operation: Operation): Promise<readonly DecisionView[]> {
  const { organizationId, operationId, requiredApprovals } = operation
  if (requiredApprovals === 0) return []
  const rows = await db
    .selectFrom('operation_approvals as approval')
    .innerJoin('users as member', (join) =>
      join.onRef('member.organization_id', '=', 'approval.organization_id').onRef('member.id', '=', 'approval.user_id'),
    )
    .innerJoin('organizations as organization', 'organization.id', 'approval.organization_id')
    .select([
      'user_id',
      'email',
      'role',
      'removed_at',
      'decision',
      'approval.created_at',
      'reason',
      'link',
      'file_sha256',
    ])
    .select(['organization.signed_approvals', ({ eb }) => eb('approval.signature', 'is not', null).as('is_signed')])
    .where('approval.organization_id', '=', organizationId)
    .where('approval.operation_id', '=', operationId)
    .orderBy('approval.created_at')
    .orderBy('user_id')
    .execute()
  if (rows.length === 0) return []
  const { excludedUserId } = await countApprovals(db, operation)
  return rows.map((row) => ({
    userId: row.user_id,
    email: row.email,
    decision: row.decision,
    at: row.created_at,
    isSigned: Boolean(row.is_signed),
    counts:
      row.decision === 'approve' &&
      row.removed_at === null &&
      APPROVER_ROLES.some((role) => role === row.role) &&
      row.user_id !== excludedUserId &&
      (Boolean(row.is_signed) || !row.signed_approvals),
    ...explanationFrom(row),
  }))
}
