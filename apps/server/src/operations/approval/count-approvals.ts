import { sql } from 'kysely'
import type { Database, Tx } from '../../database/index.ts'
import { APPROVER_ROLES } from '../../identity/index.ts'
import type { OperationFields } from '../lifecycle/states/operation.ts'

/** What decides whose approvals of an operation count. */
type Counted = Pick<
  OperationFields,
  'operationId' | 'requestedBy' | 'requesterUserId' | 'requiredApprovals' | 'requesterMayApprove'
>

export interface ApprovalCount {
  /** Members who have approved and may still approve. */
  readonly approvals: number
  /** The user who requested the operation or holds the secret that did, if they may not approve it; otherwise `null`. */
  readonly excludedUserId: number | null
}

/**
 * Counts the approvals of an operation by the members that the organization has now, in one statement. An approval of
 * someone who has left or become a viewer does not count. Neither does the requester's, nor that of the member who holds
 * the secret of the service account that requested it, unless the policy allowed it at planning or the other members are
 * too few to give all approvals (ADR 102). Members who cannot sign in are others, too: a reset of their password must not
 * make the requester an approver. Where the organization requires signed approvals, one without a signature does not
 * count (ADR 115).
 */
export async function countApprovals(db: Database | Tx, operation: OperationFields): Promise<ApprovalCount> {
  const counts = await countApprovalsOf(db, operation.organizationId, [operation])
  return counts.get(operation.operationId)!
}

/** As {@link countApprovals}, of several operations of an organization, by their ids. None cost no statement. */
export async function countApprovalsOf(
  db: Database | Tx,
  organizationId: number,
  operations: readonly Counted[],
): Promise<ReadonlyMap<number, ApprovalCount>> {
  if (operations.length === 0) return new Map()
  const ids = operations.map(({ operationId }) => operationId)
  const { rows } = await sql<{ id: number; others: number; by_others: number; by_requester: number }>`
    select operation.id,
      count(*) filter (where member.id is distinct from operation.requester_id)::int as others,
      count(approval.user_id) filter (where member.id is distinct from operation.requester_id)::int as by_others,
      count(approval.user_id) filter (where member.id = operation.requester_id)::int as by_requester
    from unnest(${ids}::bigint[], ${operations.map(requesterOf)}::bigint[]) as operation (id, requester_id)
      cross join users member
      join organizations organization on organization.id = member.organization_id
      left join operation_approvals approval on approval.organization_id = member.organization_id
        and approval.user_id = member.id and approval.operation_id = operation.id and approval.decision = 'approve'
        and (approval.signature is not null or not organization.signed_approvals)
    where member.organization_id = ${organizationId} and member.removed_at is null
      and member.role = any(${APPROVER_ROLES}::text[])
    group by operation.id
  `.execute(db)
  // Where nobody is left who may approve, there is no row.
  const found = new Map(rows.map((row) => [row.id, row]))
  return new Map(
    operations.map((operation) => [operation.operationId, judge(operation, found.get(operation.operationId))]),
  )
}

const requesterOf = ({ requestedBy, requesterUserId }: Counted): number | null =>
  requestedBy?.type === 'user' ? requestedBy.id : requesterUserId

function judge(
  operation: Counted,
  row: { readonly others: number; readonly by_others: number; readonly by_requester: number } | undefined,
): ApprovalCount {
  const { others = 0, by_others: byOthers = 0, by_requester: byRequester = 0 } = row ?? {}
  const requesterId = requesterOf(operation)
  const isExcluded = requesterId !== null && !operation.requesterMayApprove && others >= operation.requiredApprovals
  return isExcluded
    ? { approvals: byOthers, excludedUserId: requesterId }
    : { approvals: byOthers + byRequester, excludedUserId: null }
}
