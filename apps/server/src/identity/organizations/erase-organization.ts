import { sql } from 'kysely'
import { type Database, inTransaction, type Tx } from '../../database/index.ts'
import { type Clock, Failure } from '../../kernel/index.ts'

/** What an erased organization is called. */
const ERASED_NAME = '[erased]'

/**
 * Destroys the personal data of a deleted organization: its name, the names, e-mail addresses, passwords, second factors
 * and accounts at identity providers of its members, invitations, and where sessions and keys were used. Its ledger and
 * its audit log stay; the log names members by id only.
 * `eraseOthers` does the same for rooms above, in the same transaction. Returns false if it was erased before.
 *
 * Errors: ORGANIZATION_NOT_FOUND; CONFLICT if it is not deleted, and those of `eraseOthers`.
 */
export async function eraseOrganization(
  parts: { readonly db: Database; readonly clock: Clock },
  organizationId: number,
  eraseOthers: (tx: Tx, erased: { readonly organizationId: number; readonly at: Date }) => Promise<void>,
): Promise<boolean> {
  return await inTransaction(parts.db, async (tx) => {
    const organization = await tx
      .selectFrom('organizations')
      .select(['deleted_at', 'erased_at'])
      .where('id', '=', organizationId)
      .forUpdate()
      .executeTakeFirst()
    if (organization === undefined) throw new Failure('ORGANIZATION_NOT_FOUND')
    if (organization.erased_at !== null) return false
    if (organization.deleted_at === null) {
      throw new Failure('CONFLICT', { message: 'The organization is not deleted.' })
    }
    const at = parts.clock.now()
    await eraseOthers(tx, { organizationId, at })
    await eraseMembers(tx, organizationId)
    await tx
      .updateTable('organizations')
      .set({ name: ERASED_NAME, erased_at: at })
      .where('id', '=', organizationId)
      .execute()
    return true
  })
}

async function eraseMembers(tx: Tx, organizationId: number): Promise<void> {
  await tx.deleteFrom('user_totp').where('organization_id', '=', organizationId).execute()
  await tx.deleteFrom('user_passkeys').where('organization_id', '=', organizationId).execute()
  await tx.deleteFrom('user_recovery_codes').where('organization_id', '=', organizationId).execute()
  await tx.deleteFrom('factor_challenges').where('organization_id', '=', organizationId).execute()
  await tx
    .updateTable('users')
    .set({ email: sql<string>`'erased-' || id`, name: null, password_hash: '', second_factors: [] })
    .where('organization_id', '=', organizationId)
    .execute()
  await tx
    .updateTable('sessions')
    .set({ address: null, user_agent: null })
    .where('organization_id', '=', organizationId)
    .execute()
  await tx
    .updateTable('registration_invitations')
    .set({ email: null })
    .where('organization_id', '=', organizationId)
    .execute()
  await tx
    .updateTable('api_keys')
    .set({ last_used_address: null })
    .where('organization_id', '=', organizationId)
    .execute()
  await eraseSignIns(tx, organizationId)
}

/** Rows that name a person, or belong to one's sign-in, and nothing else needs. */
async function eraseSignIns(tx: Tx, organizationId: number): Promise<void> {
  await tx.deleteFrom('member_invitations').where('organization_id', '=', organizationId).execute()
  await tx.deleteFrom('account_tokens').where('organization_id', '=', organizationId).execute()
  await tx.deleteFrom('sso_identities').where('organization_id', '=', organizationId).execute()
  await tx.deleteFrom('sso_sign_ins').where('organization_id', '=', organizationId).execute()
  await tx.deleteFrom('user_totp').where('organization_id', '=', organizationId).execute()
  await tx.deleteFrom('user_passkeys').where('organization_id', '=', organizationId).execute()
  await tx.deleteFrom('user_recovery_codes').where('organization_id', '=', organizationId).execute()
  await tx.deleteFrom('factor_challenges').where('organization_id', '=', organizationId).execute()
}
