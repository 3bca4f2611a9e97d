import { sql } from 'kysely'
import type { Database } from '../../database/index.ts'
import { LIST_LIMIT_MAX } from '../../kernel/index.ts'

/** A decision on an operation or a change request that no entry of the audit log records. */
interface UnloggedDecision {
  /** What it approves or rejects: `operation` or `change_request`, with its id. */
  readonly objectType: string
  readonly objectId: number
  readonly userId: number
  /** The action of the entry that is missing, such as `approveOperation`. */
  readonly action: string
}

/**
 * The decisions of an organization that no entry of its audit log records, {@link LIST_LIMIT_MAX} at most. A decision and
 * its entry commit together: one without an entry was written into the database without Weir, and still counts.
 */
export async function findUnloggedDecisions(
  db: Database,
  organizationId: number,
): Promise<readonly UnloggedDecision[]> {
  const { rows } = await sql<UnloggedDecision>`
    with decided as (
      select 'operation' as object_type, operation_id as object_id, user_id, decision || 'Operation' as action
      from operation_approvals where organization_id = ${organizationId}
      union all
      select 'change_request', change_request_id, user_id, decision || 'ChangeRequest'
      from change_decisions where organization_id = ${organizationId}
    )
    select d.object_type as "objectType", d.object_id as "objectId", d.user_id as "userId", d.action
    from decided d
    where not exists (
      select from audit_log e
      where e.organization_id = ${organizationId} and e.actor_type = 'user' and e.actor_id = d.user_id
        and e.action = d.action and e.object_type = d.object_type and e.object_id = d.object_id
    )
    order by d.object_type, d.object_id, d.user_id limit ${LIST_LIMIT_MAX}
  `.execute(db)
  return rows
}
