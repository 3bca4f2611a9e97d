import { sql } from 'kysely'
import type { Role, Tx } from '../../database/index.ts'
import { domainOfEmail } from '../shared/email-domain.ts'
import { NO_PASSWORD } from './password.ts'

export interface MemberWithWayIn {
  readonly id: number
  readonly canSignIn: boolean
}

/**
 * The members with one of `roles`, and whether each has a way in that is their own: an account at an identity provider of
 * the organization, or a password that they set or a passkey, unless single sign-on is required of them. Nobody may ever
 * use a one-time password that is not replaced, and a deleted provider signs nobody in. That an owner was just recovered
 * on the host does not count: it lasts an hour.
 */
export async function readWaysIn(
  tx: Tx,
  organizationId: number,
  roles: readonly Role[],
): Promise<readonly MemberWithWayIn[]> {
  const { rows: members } = await sql<{
    id: number
    email: string
    role: Role
    isReplaced: boolean
    hasAccount: boolean
    hasSecret: boolean
  }>`
    select member.id, member.email, member.role, not member.password_change_required as "isReplaced",
      exists (select from sso_identities identity
        join sso_providers provider
          on provider.organization_id = identity.organization_id and provider.issuer = identity.issuer
        where identity.organization_id = member.organization_id and identity.user_id = member.id
          and provider.deleted_at is null) as "hasAccount",
      member.password_hash <> ${NO_PASSWORD} or exists (select from user_passkeys passkey
        where passkey.organization_id = member.organization_id and passkey.user_id = member.id) as "hasSecret"
    from users member
    where member.organization_id = ${organizationId} and member.removed_at is null
      and member.role = any(${roles}::text[])
  `.execute(tx)
  const isBound = await readBoundMembers(tx, organizationId)
  return members.map((member) => ({
    id: member.id,
    canSignIn: member.isReplaced && (member.hasAccount || (member.hasSecret && !isBound(member))),
  }))
}

/** Tells who may not use a password or a passkey, by the rule of {@link findSsoRequirement}. */
async function readBoundMembers(tx: Tx, organizationId: number) {
  const { rows } = await sql<{ domain: string; breakGlassUserId: number | null }>`
    select domain.domain, provider.break_glass_user_id as "breakGlassUserId" from sso_domains domain
    join sso_providers provider
      on provider.organization_id = domain.organization_id and provider.id = domain.provider_id
    where domain.organization_id = ${organizationId} and domain.verified_at is not null
      and provider.enforced and provider.deleted_at is null
  `.execute(tx)
  const breakGlass = new Map(rows.map(({ domain, breakGlassUserId }) => [domain, breakGlassUserId]))
  return ({ id, email, role }: { readonly id: number; readonly email: string; readonly role: Role }) => {
    // The database has domains in ASCII, and addresses as they were written.
    const exempt = breakGlass.get(domainOfEmail(email) ?? '')
    return exempt !== undefined && !(role === 'owner' && id === exempt)
  }
}
