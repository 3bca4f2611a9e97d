import { sql } from 'kysely'
import type { Tx } from '../../database/index.ts'
import { APPROVER_ROLES, canSignIn } from '../../identity/index.ts'

/** How many members of the organization may approve and can sign in to do it, if named `without` one of them. */
export async function countApprovers(
  tx: Tx,
  organizationId: number,
  { without = null }: { readonly without?: number | null } = {},
): Promise<number> {
  const { rows } = await sql<{ approvers: number }>`
    select count(*)::int as approvers from users member
    where member.organization_id = ${organizationId} and member.removed_at is null
      and member.role = any(${APPROVER_ROLES}::text[]) and ${canSignIn()}
      and member.id is distinct from ${without}::bigint
  `.execute(tx)
  return rows[0]?.approvers ?? 0
}

/** How many members have a role that may approve, whether they can sign in or not. */
export async function countApproverRoles(tx: Tx, organizationId: number): Promise<number> {
  const { count } = await tx
    .selectFrom('users')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('organization_id', '=', organizationId)
    .where('removed_at', 'is', null)
    .where('role', 'in', APPROVER_ROLES)
    .executeTakeFirstOrThrow()
  return count
}
