import { sql } from 'kysely'
import type { Tx } from '../../database/index.ts'
import { APPROVER_ROLES, canSignIn } from '../../identity/index.ts'

interface Counted {
  /** A member who is not counted. */
  readonly without?: number | null
}

/** How many members of the organization may approve and can sign in to do it. */
export async function countApprovers(tx: Tx, organizationId: number, counted: Counted = {}): Promise<number> {
  return (await readApproverCounts(tx, organizationId, counted)).able
}

/** The same, as `able`, and how many have a role that may approve, whether they can sign in or not. */
export async function readApproverCounts(
  tx: Tx,
  organizationId: number,
  { without = null }: Counted = {},
): Promise<{ readonly able: number; readonly roles: number }> {
  const { rows } = await sql<{ able: number; roles: number }>`
    select count(*) filter (where ${canSignIn()})::int as able, count(*)::int as roles from users member
    where member.organization_id = ${organizationId} and member.removed_at is null
      and member.role = any(${APPROVER_ROLES}::text[]) and member.id is distinct from ${without}::bigint
  `.execute(tx)
  return rows[0]!
}
