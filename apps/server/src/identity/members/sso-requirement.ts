import { sql } from 'kysely'
import type { Database, Tx } from '../../database/index.ts'
import { Failure, type Refusal } from '../../kernel/index.ts'
import { domainOfEmail } from '../shared/email-domain.ts'

/** An organization requires single sign-on for the domain of an email address. */
export interface SsoRequirement {
  /** Whether the address is that of a member of this organization who may not use a password. */
  readonly bindsMember: boolean
}

/**
 * Whether an organization that proved the address's domain requires single sign-on for it; `undefined` if none does. It
 * binds the organization's members, except the provider's break-glass owner, an owner who was just recovered on the host,
 * and all owners where the provider signs none in. Members of other organizations keep their passwords: proving a domain gives no power over them.
 */
export async function findSsoRequirement(
  db: Database | Tx,
  email: string,
  at: Date,
): Promise<SsoRequirement | undefined> {
  // Text that is no address takes the same statement: its time says nothing.
  const domain = domainOfEmail(email) ?? ''
  const { rows } = await sql<SsoRequirement>`
    select member.id is not null and not coalesce(
        member.role = 'owner' and (member.id = provider.break_glass_user_id
          or not provider.allow_owner or member.sso_exempt_until > ${at}),
        false) as "bindsMember"
    from sso_domains domain
    join sso_providers provider
      on provider.organization_id = domain.organization_id and provider.id = domain.provider_id
    left join users member on member.organization_id = domain.organization_id and member.email = ${email.replaceAll('\0', '')}
      and member.removed_at is null
    where domain.domain = ${domain} and domain.verified_at is not null
      and provider.enforced and provider.deleted_at is null
  `.execute(db)
  return rows[0]
}

/** FORBIDDEN with `details.reason` `sso_required`: passwords are refused for this address. */
export function ssoRequired(refusal: Refusal = { reason: 'sso_required' }): Failure {
  return new Failure('FORBIDDEN', {
    message: 'The organization of this email domain requires single sign-on.',
    details: { reason: 'sso_required' },
    refusal,
  })
}

/** FORBIDDEN (`sso_required`) if the member with this address must sign in by single sign-on. */
export async function refusePasswordOfMember(db: Database | Tx, email: string, at: Date): Promise<void> {
  if ((await findSsoRequirement(db, email, at))?.bindsMember) throw ssoRequired()
}

/**
 * FORBIDDEN (`sso_required`) if no account with a password may be created for this address, in any organization:
 * otherwise strangers could take the addresses of a proved domain.
 */
export async function refusePasswordAccount(db: Database | Tx, email: string, at: Date): Promise<void> {
  if ((await findSsoRequirement(db, email, at)) !== undefined) throw ssoRequired()
}

/** FORBIDDEN (`sso_required`) if this member must sign in by single sign-on, as a refusal of this member. */
export async function refuseBoundMember(
  tx: Tx,
  {
    organizationId,
    userId,
    email,
    at,
  }: { readonly organizationId: number; readonly userId: number; readonly email: string; readonly at: Date },
): Promise<void> {
  if ((await findSsoRequirement(tx, email, at))?.bindsMember)
    throw ssoRequired({ reason: 'sso_required', organizationId, actor: { type: 'user', id: userId } })
}
