import { sql } from 'kysely'
import type { Database, Tx } from '../../database/index.ts'
import { APPROVER_ROLES } from '../../identity/index.ts'
import type { OperationFields } from '../lifecycle/operation.ts'

export interface ApprovalCount {
  /** Members who have approved and may still approve. */
  readonly approvals: number
  /** The user who requested the operation or holds the secret that did, if they may not approve it; otherwise `null`. */
  readonly excludedUserId: number | null
}

/**
 * Counts the approvals of an operation by the members that the organization has now, in one statement. An approval of
 * someone who has left or become a viewer does not count. Neither does the requester's, nor that of the member who holds
 * the secret of the service account that requested it, unless the policy allowed it
 * at planning or the other members are too few to give all approvals (ADR 102). Where the organization requires signed
 * approvals, one without a signature does not count (ADR 115).
 */
export async function countApprovals(db: Database | Tx, operation: OperationFields): Promise<ApprovalCount> {
  const { organizationId, operationId, requestedBy, requesterUserId, requiredApprovals } = operation
  const requesterId = requestedBy?.type === 'user' ? requestedBy.id : requesterUserId
  const { rows } = await sql<{ others: number; by_others: number; by_requester: number }>`
    select
      count(*) filter (where member.id is distinct from ${requesterId}::bigint)::int as others,
      count(approval.user_id) filter (where member.id is distinct from ${requesterId}::bigint)::int as by_others,
      count(approval.user_id) filter (where member.id = ${requesterId}::bigint)::int as by_requester
    from users member
      join organizations organization on organization.id = member.organization_id
      left join operation_approvals approval on approval.organization_id = member.organization_id
        and approval.user_id = member.id and approval.operation_id = ${operationId} and approval.decision = 'approve'
        and (approval.signature is not null or not organization.signed_approvals)
    where member.organization_id = ${organizationId} and member.removed_at is null
      and member.role = any(${APPROVER_ROLES}::text[])
  `.execute(db)
  const [{ others, by_others: byOthers, by_requester: byRequester }] = rows as [(typeof rows)[number]]
  const isExcluded = requesterId !== null && !operation.requesterMayApprove && others >= requiredApprovals
  return isExcluded
    ? { approvals: byOthers, excludedUserId: requesterId }
    : { approvals: byOthers + byRequester, excludedUserId: null }
}
