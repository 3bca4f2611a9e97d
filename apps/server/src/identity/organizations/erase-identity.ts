import { sql } from 'kysely'
import type { Tx } from '../../database/index.ts'
import { ERASURE_ROWS_BATCH } from '../../kernel/index.ts'
import type { ErasedOrganization, ErasureStep } from './erasure.ts'

/** Text that people typed, in columns that may not be null. */
const ERASED_TEXT = '[erased]'

/** The personal data of this room. The last step of an erasure: the others may need names and addresses. */
export const IDENTITY_ERASURE: readonly ErasureStep[] = [
  { name: 'mails', erase: eraseMails },
  { name: 'security_events', erase: eraseSecurityEvents },
  { name: 'sign_ins', erase: eraseSignIns },
  { name: 'keys', erase: eraseKeys },
  { name: 'members', erase: eraseMembers },
]

/** Emails that wait are never sent. The keyed hash of the address stays two days, for its limit. */
async function eraseMails(tx: Tx, { organizationId }: ErasedOrganization): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable('mails')
    .set({ content: null, next_attempt_at: null, organization_id: null, failure: 'the organization was erased' })
    .where('organization_id', '=', organizationId)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

async function eraseSecurityEvents(tx: Tx, { organizationId }: ErasedOrganization): Promise<number> {
  const { rows } = await sql`
    update security_events set address = null, user_agent = null where id in (
      select id from security_events
      where organization_id = ${organizationId} and (address is not null or user_agent is not null)
      limit ${ERASURE_ROWS_BATCH}
    ) returning 1
  `.execute(tx)
  return rows.length
}

/** Rows that name a person or belong to a sign-in, and that nothing else needs. */
async function eraseSignIns(tx: Tx, { organizationId }: ErasedOrganization): Promise<number> {
  const results = [
    await tx.deleteFrom('saved_views').where('organization_id', '=', organizationId).executeTakeFirst(),
    await tx.deleteFrom('member_invitations').where('organization_id', '=', organizationId).executeTakeFirst(),
    await tx.deleteFrom('account_tokens').where('organization_id', '=', organizationId).executeTakeFirst(),
    await tx.deleteFrom('sso_identities').where('organization_id', '=', organizationId).executeTakeFirst(),
    await tx.deleteFrom('sso_sign_ins').where('organization_id', '=', organizationId).executeTakeFirst(),
    await tx.deleteFrom('sso_domains').where('organization_id', '=', organizationId).executeTakeFirst(),
    await tx.deleteFrom('sso_providers').where('organization_id', '=', organizationId).executeTakeFirst(),
    await tx.deleteFrom('user_totp').where('organization_id', '=', organizationId).executeTakeFirst(),
    await tx.deleteFrom('user_passkeys').where('organization_id', '=', organizationId).executeTakeFirst(),
    await tx.deleteFrom('user_recovery_codes').where('organization_id', '=', organizationId).executeTakeFirst(),
    await tx.deleteFrom('factor_challenges').where('organization_id', '=', organizationId).executeTakeFirst(),
  ]
  const { numUpdatedRows } = await tx
    .updateTable('registration_invitations')
    .set({ email: null })
    .where('organization_id', '=', organizationId)
    .where('email', 'is not', null)
    .executeTakeFirst()
  return results.reduce((sum, { numDeletedRows }) => sum + Number(numDeletedRows), Number(numUpdatedRows))
}

/** Keys and service accounts end, because an erased list of networks would let them be used from everywhere. */
async function eraseKeys(tx: Tx, { organizationId, at }: ErasedOrganization): Promise<number> {
  const keys = await tx
    .updateTable('api_keys')
    .set((column) => ({
      name: ERASED_TEXT,
      allowed_addresses: null,
      last_used_address: null,
      revoked_at: column.fn.coalesce('revoked_at', column.val(at)),
    }))
    .where('organization_id', '=', organizationId)
    // A name alone is no mark: somebody may have chosen this one.
    .where((where) =>
      where.or([
        where('name', '<>', ERASED_TEXT),
        where('revoked_at', 'is', null),
        where('allowed_addresses', 'is not', null),
        where('last_used_address', 'is not', null),
      ]),
    )
    .executeTakeFirst()
  const profiles = await tx
    .updateTable('wallet_profiles')
    .set({ name: sql<string>`${`${ERASED_TEXT} `} || id` })
    .where('organization_id', '=', organizationId)
    .where(sql<boolean>`name <> ${`${ERASED_TEXT} `} || id`)
    .executeTakeFirst()
  const accounts = await tx
    .updateTable('service_accounts')
    .set((column) => ({
      name: ERASED_TEXT,
      allowed_addresses: null,
      deleted_at: column.fn.coalesce('deleted_at', column.val(at)),
    }))
    .where('organization_id', '=', organizationId)
    .where((where) =>
      where.or([
        where('name', '<>', ERASED_TEXT),
        where('deleted_at', 'is', null),
        where('allowed_addresses', 'is not', null),
      ]),
    )
    .executeTakeFirst()
  const secrets = await tx
    .updateTable('service_account_secrets')
    .set({ last_used_address: null })
    .where('organization_id', '=', organizationId)
    .where('last_used_address', 'is not', null)
    .executeTakeFirst()
  const updated = [keys, profiles, accounts, secrets]
  return updated.reduce((sum, { numUpdatedRows }) => sum + Number(numUpdatedRows), 0)
}

async function eraseMembers(tx: Tx, { organizationId }: ErasedOrganization): Promise<number> {
  const users = await tx
    .updateTable('users')
    .set({ email: sql<string>`'erased-' || id`, name: null, password_hash: '', second_factors: [] })
    .where('organization_id', '=', organizationId)
    .where(sql<boolean>`email <> 'erased-' || id`)
    .executeTakeFirst()
  const sessions = await tx
    .updateTable('sessions')
    .set({ address: null, user_agent: null })
    .where('organization_id', '=', organizationId)
    .where((where) => where.or([where('address', 'is not', null), where('user_agent', 'is not', null)]))
    .executeTakeFirst()
  return Number(users.numUpdatedRows + sessions.numUpdatedRows)
}
