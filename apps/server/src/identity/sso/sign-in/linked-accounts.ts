import type { Role, Tx } from '../../../database/index.ts'
import { appendAuditEntry } from '../../audit/append-audit-entry.ts'
import { refuseSignIn } from './refuse-sign-in.ts'

/** An account at a provider. */
interface ProviderAccount {
  readonly issuer: string
  readonly subject: string
}

export interface LinkedMember {
  readonly id: number
  readonly role: Role
  readonly isRemoved: boolean
}

/** The member of the organization that an account is linked to, removed or not; `undefined` if it is linked to none. */
export async function findLinkedMember(
  tx: Tx,
  organizationId: number,
  { issuer, subject }: ProviderAccount,
): Promise<LinkedMember | undefined> {
  const row = await tx
    .selectFrom('sso_identities as identity')
    .innerJoin('users as member', (join) =>
      join.onRef('member.organization_id', '=', 'identity.organization_id').onRef('member.id', '=', 'identity.user_id'),
    )
    .select(['member.id', 'member.role', 'member.removed_at'])
    .where('identity.organization_id', '=', organizationId)
    .where('identity.issuer', '=', issuer)
    .where('identity.subject', '=', subject)
    .executeTakeFirst()
  return row && { id: row.id, role: row.role, isRemoved: row.removed_at !== null }
}

/**
 * FORBIDDEN (`already_linked`) if the member signs in with another account of this issuer: directories give the address
 * of somebody who left to somebody else.
 */
export async function refuseSecondAccount(
  tx: Tx,
  member: { readonly organizationId: number; readonly id: number },
  { issuer, subject }: ProviderAccount,
): Promise<void> {
  const other = await tx
    .selectFrom('sso_identities')
    .select('subject')
    .where('organization_id', '=', member.organizationId)
    .where('user_id', '=', member.id)
    .where('issuer', '=', issuer)
    .where('subject', '!=', subject)
    .limit(1)
    .executeTakeFirst()
  if (other !== undefined) refuseSignIn('already_linked')
}

/** A sign-in at a provider of an organization. */
export interface ProviderSignIn {
  readonly organizationId: number
  readonly providerId: number
  readonly at: Date
  /** The caller's address, for the audit log. */
  readonly from: string | null
}

/**
 * Links an account to a member, or records that it was used again. The first use gets an entry in the audit log. Returns
 * whether it is the first.
 */
export async function linkMember(
  tx: Tx,
  context: ProviderSignIn,
  { issuer, subject }: ProviderAccount,
  memberId: number,
): Promise<boolean> {
  const { organizationId, providerId, at, from } = context
  const used = await tx
    .updateTable('sso_identities')
    .set({ last_used_at: at })
    .where('organization_id', '=', organizationId)
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .where('user_id', '=', memberId)
    .executeTakeFirst()
  if (used.numUpdatedRows > 0n) return false
  await tx
    .insertInto('sso_identities')
    .values({
      organization_id: organizationId,
      issuer,
      subject,
      user_id: memberId,
      created_at: at,
      last_used_at: at,
    })
    // The account of a removed member who was admitted again.
    .onConflict((conflict) =>
      conflict
        .columns(['organization_id', 'issuer', 'subject'])
        .doUpdateSet({ user_id: memberId, created_at: at, last_used_at: at }),
    )
    .execute()
  await appendAuditEntry(tx, {
    organizationId,
    actor: { type: 'system', id: null },
    action: 'linkSsoAccount',
    objectType: 'member',
    objectId: memberId,
    from,
    at,
    details: { provider: providerId },
  })
  return true
}
