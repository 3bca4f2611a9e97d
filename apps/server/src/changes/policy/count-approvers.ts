import { sql } from 'kysely'
import type { Tx } from '../../database/index.ts'
import { APPROVER_ROLES } from '../../identity/index.ts'

/** How many members of the organization may approve. */
export async function countApprovers(tx: Tx, organizationId: number): Promise<number> {
  const { rows } = await sql<{ approvers: number }>`
    select count(*)::int as approvers from users
    where organization_id = ${organizationId} and removed_at is null and role = any(${APPROVER_ROLES}::text[])
  `.execute(tx)
  return rows[0]?.approvers ?? 0
}
