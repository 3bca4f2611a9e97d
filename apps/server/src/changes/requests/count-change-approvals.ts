import { sql } from 'kysely'
import type { Database, Tx } from '../../database/index.ts'
import { approvalCounts } from './approval-counts.ts'
import type { ChangeRequest } from './change-request.ts'

/**
 * Counts the approvals of a change by the members that the organization has now, in one statement. An approval of
 * someone who has left or may no longer approve does not count, nor does that of a member whose rights the change raises,
 * and the requester's never does.
 */
export async function countChangeApprovals(db: Database | Tx, request: ChangeRequest): Promise<number> {
  const { rows } = await sql<{ approvals: number }>`
    select count(*)::int as approvals
    from change_requests request
      join change_decisions decision on decision.organization_id = request.organization_id
        and decision.change_request_id = request.id and decision.decision = 'approve'
      join users member on member.organization_id = decision.organization_id and member.id = decision.user_id
    where request.organization_id = ${request.organizationId} and request.id = ${request.id} and ${approvalCounts()}
  `.execute(db)
  return rows[0]?.approvals ?? 0
}
