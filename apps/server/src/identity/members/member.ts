import { type RawBuilder, type Selectable, sql } from 'kysely'
import { beginningWith, type Role, type Schema } from '../../database/index.ts'

/** A person in an organization. */
export interface Member {
  readonly id: number
  readonly email: string
  readonly name: string | null
  readonly role: Role
  readonly createdAt: Date
  /** The member proved, by an email, that the address is theirs. */
  readonly emailVerified: boolean
}

/** The roles of members who may approve or reject (contract 3). */
export const APPROVER_ROLES: readonly Role[] = ['owner', 'admin', 'approver']

/** Each role may do what those before it may, and more. */
export const ROLES_BY_RIGHTS: readonly Role[] = ['viewer', 'approver', 'admin', 'owner']

/** Whether a role may do more than another one. */
export const isHigherRole = (role: Role, than: Role): boolean =>
  ROLES_BY_RIGHTS.indexOf(role) > ROLES_BY_RIGHTS.indexOf(than)

/** The columns that make a {@link Member}. */
export const MEMBER_COLUMNS = ['id', 'email', 'name', 'role', 'created_at', 'email_verified_at'] as const

type MemberRow = Pick<Selectable<Schema['users']>, (typeof MEMBER_COLUMNS)[number]>

export function memberFrom(row: MemberRow): Member {
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    role: row.role,
    createdAt: row.created_at,
    emailVerified: row.email_verified_at !== null,
  }
}

/** Whether the address of a member, or a word of the name, begins with a text, in any case. For statements on `users`. */
export function memberBeginsWith(text: string): RawBuilder<boolean> {
  const begins = beginningWith(text)
  return sql`(lower(email) like ${begins} or ' ' || lower(name) like '% ' || ${begins})`
}
