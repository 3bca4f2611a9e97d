import type { Role, Tx } from '../database/index.ts'
import type { Clock } from '../kernel/index.ts'

/** A person in an organization. */
export interface Member {
  readonly id: number
  readonly email: string
  readonly name: string | null
  readonly role: Role
  readonly createdAt: Date
}

interface NewUser {
  readonly organizationId: number
  readonly email: string
  readonly name: string | null
  readonly role: Role
  readonly passwordHash: string
}

/** `undefined` when the e-mail is in use; two who take it at once are told apart by the unique index. */
export async function insertUser(tx: Tx, parts: { readonly clock: Clock }, user: NewUser): Promise<Member | undefined> {
  return await tx
    .insertInto('users')
    .values({
      organization_id: user.organizationId,
      email: user.email,
      name: user.name,
      role: user.role,
      password_hash: user.passwordHash,
      created_at: parts.clock.now(),
    })
    .onConflict((conflict) => conflict.column('email').where('removed_at', 'is', null).doNothing())
    .returning(['id', 'email', 'name', 'role', 'created_at as createdAt'])
    .executeTakeFirst()
}
