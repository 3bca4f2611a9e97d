import type { Selectable } from 'kysely'
import type { Role, Schema, Tx } from '../../database/index.ts'
import type { Clock } from '../../kernel/index.ts'

/** A person in an organization. */
export interface Member {
  readonly id: number
  readonly email: string
  readonly name: string | null
  readonly role: Role
  readonly createdAt: Date
}

/** The columns that make a {@link Member}. */
export const MEMBER_COLUMNS = ['id', 'email', 'name', 'role', 'created_at'] as const

type MemberRow = Pick<Selectable<Schema['users']>, (typeof MEMBER_COLUMNS)[number]>

export function memberFrom(row: MemberRow): Member {
  return { id: row.id, email: row.email, name: row.name, role: row.role, createdAt: row.created_at }
}

interface NewUser {
  readonly organizationId: number
  readonly email: string
  readonly name: string | null
  readonly role: Role
  readonly passwordHash: string
}

/** `undefined` when the e-mail is in use; the unique index decides between concurrent inserts. */
export async function insertUser(tx: Tx, parts: { readonly clock: Clock }, user: NewUser): Promise<Member | undefined> {
  const row = await tx
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
    .returning(MEMBER_COLUMNS)
    .executeTakeFirst()
  return row && memberFrom(row)
}
