import type { Tx } from '../../database/index.ts'
import { APPROVER_ROLES, readWaysIn } from '../../identity/index.ts'

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
  const members = (await readWaysIn(tx, organizationId, APPROVER_ROLES)).filter(({ id }) => id !== without)
  return { able: members.filter(({ canSignIn }) => canSignIn).length, roles: members.length }
}
