import { randomUUID } from 'node:crypto'
import { type Database, inTransaction, type Role } from '../../src/database/index.ts'
import { insertUser } from '../../src/identity/members/add-member.ts'
import type { Clock } from '../../src/kernel/index.ts'

/** Adds a member who never logs in. Returns the user id. */
export async function addApprover(
  { db, clock }: { readonly db: Database; readonly clock: Clock },
  organizationId: number,
  role: Role = 'approver',
): Promise<number> {
  const email = `${randomUUID()}@acme.example`
  const user = { organizationId, email, name: null, role, passwordHash: 'nobody logs in' }
  return (await inTransaction(db, (tx) => insertUser(tx, { clock }, user)))!.id
}
