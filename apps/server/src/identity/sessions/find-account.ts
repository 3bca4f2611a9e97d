import { sql } from 'kysely'
import type { Database, Role, Tx } from '../../database/index.ts'
import type { Account } from './session.ts'

/** The account to find: by the email of a login, by an open session, or by its id. */
type AccountLookup =
  | { readonly email: string }
  | { readonly organizationId: number; readonly sessionId: number }
  | { readonly organizationId: number; readonly userId: number }

export interface AccountWithPassword {
  readonly account: Account
  readonly passwordHash: string
  /** `null`: the password does not expire. */
  readonly passwordExpiresAt: Date | null
  /** The password is the one-time one that a command on the host gave a recovered owner, expired or not. */
  readonly isOfRecovery: boolean
}

interface AccountRow {
  id: number
  email: string
  name: string | null
  role: Role
  password_hash: string
  password_change_required: boolean
  password_expires_at: Date | null
  is_of_recovery: boolean
  organization_id: number
  organization_name: string
}

/** An active member of an existing organization; `undefined` for anyone else. */
export async function findAccount(db: Database | Tx, lookup: AccountLookup): Promise<AccountWithPassword | undefined> {
  const matches =
    'email' in lookup
      ? sql`member.email = ${lookup.email}`
      : 'sessionId' in lookup
        ? sql`(member.organization_id, member.id) = (
          select organization_id, user_id from sessions
          where organization_id = ${lookup.organizationId} and id = ${lookup.sessionId} and revoked_at is null
        )`
        : sql`(member.organization_id, member.id) = (${lookup.organizationId}, ${lookup.userId})`
  const { rows } = await sql<AccountRow>`
    select member.id, member.email, member.name, member.role, member.password_hash,
      member.password_change_required, member.password_expires_at,
      coalesce(member.password_expires_at = member.sso_exempt_until, false) as is_of_recovery,
      organization.id as organization_id, organization.name as organization_name
    from users member join organizations organization on organization.id = member.organization_id
    where ${matches} and member.removed_at is null and organization.deleted_at is null
  `.execute(db)
  const row = rows[0]
  return (
    row && {
      passwordHash: row.password_hash,
      passwordExpiresAt: row.password_expires_at,
      isOfRecovery: row.is_of_recovery,
      account: {
        user: { id: row.id, email: row.email, name: row.name, role: row.role },
        organization: { id: row.organization_id, name: row.organization_name },
        ...(row.password_change_required ? { passwordChangeRequired: true } : {}),
      },
    }
  )
}
