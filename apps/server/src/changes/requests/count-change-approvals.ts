import { sql } from 'kysely'
import type { Database, Tx } from '../../database/index.ts'
import { APPROVER_ROLES } from '../../identity/index.ts'
import type { ChangeRequest } from './change-request.ts'

/**
 * Counts the approvals of a change by the members that the organization has now, in one statement. An approval of
 * someone who has left or may no longer approve does not count, and the requester's never does.
 */
export async function countChangeApprovals(db: Database | Tx, request: ChangeRequest): Promise<number> {
  const { rows } = await sql<{ approvals: number }>`
    select count(*)::int as approvals
    from users member
      join change_decisions decision on decision.organization_id = member.organization_id
        and decision.user_id = member.id and decision.change_request_id = ${request.id} and decision.decision = 'approve'
    where member.organization_id = ${request.organizationId} and member.removed_at is null
      and member.role = any(${APPROVER_ROLES}::text[])
      and member.id is distinct from ${request.requesterUserId}::bigint
  `.execute(db)
  return rows[0]?.approvals ?? 0
}
