import type { Role, Tx } from '../../../database/index.ts'
import { Failure, NAME_LENGTH_MAX, type QuotaLimits } from '../../../kernel/index.ts'
import { appendAuditEntry } from '../../audit/append-audit-entry.ts'
import { revokeResets } from '../../mail/account-token.ts'
import { insertUser } from '../../members/add-member.ts'
import { OWN_PASSWORD, pausedApproval } from '../../members/assign-password.ts'
import { endSessions } from '../../members/end-sessions.ts'
import { isHigherRole } from '../../members/member.ts'
import { NO_PASSWORD } from '../../members/password.ts'
import { domainOfEmail } from '../../shared/email-domain.ts'
import { memberUse } from '../../shared/identity-use.ts'
import { lockOrganization } from '../../shared/lock-organization.ts'
import type { AssignedPasswords } from '../../shared/parts.ts'
import { requireQuota } from '../../shared/require-quota.ts'
import { validateEmail } from '../../shared/validate-text.ts'
import { type NoticeParts, takeAddressOfDomain } from '../domains/take-address.ts'
import type { RoleRules } from '../parts.ts'
import { readProvider, type SsoProvider } from '../providers/provider.ts'
import { claimAt, roleFromClaims } from '../providers/role-from-claims.ts'
import { applyRole, type RoleRefusal } from './apply-role.ts'
import { endAssignedSignIn } from './end-assigned-sign-in.ts'
import { requireHostedAccount } from './hosted-domain.ts'
import { findLinkedMember, linkMember, type ProviderSignIn, refuseSecondAccount } from './linked-accounts.ts'
import type { VerifiedClaims } from './oidc-client.ts'
import { refuseSignIn } from './refuse-sign-in.ts'

export interface SignInContext extends ProviderSignIn {
  /** The operator's quotas; a new member takes a place. */
  readonly quotas?: QuotaLimits | undefined
  readonly rules: RoleRules
  readonly assignedPasswords: AssignedPasswords
  /** For the member of another organization who loses the address. */
  readonly notices: NoticeParts
}

export interface ResolvedMember {
  readonly id: number
  /** Why the member did not get the role of their claims. */
  readonly refusedRole?: RoleRefusal | undefined
}

/**
 * The member whom a provider's verified claims identify, in the transaction that lets them in; creates one if the
 * organization's rules allow it. Where a change of members needs approval, a new member is a viewer.
 *
 * An account at the provider is an issuer and a subject, never an email address. Only an account that is linked to no
 * present member is matched by its address, and only if the organization proved the domain for this provider and the
 * provider says that the address is verified. A member of another organization who never proved that address loses it,
 * and nothing else; one who proved it keeps it. An account of Google must be managed by an organization. A removed member
 * returns only after somebody has admitted them again. An owner signs in only at a provider that may make owners.
 *
 * FORBIDDEN with `details.reason`: `email_not_verified`, `domain_not_proved`, `email_in_use`, `member_removed`,
 * `already_linked`, `owner_not_allowed`, `no_role`. CONFLICT (`quota_exceeded`).
 */
export async function resolveMember(tx: Tx, context: SignInContext, verified: VerifiedClaims): Promise<ResolvedMember> {
  await lockOrganization(tx, context.organizationId)
  // Read again: the rules may have changed while the provider responded.
  const { provider } = await readProvider(tx, context)
  const linked = await findLinkedMember(tx, context.organizationId, verified)
  const isLinked = linked !== undefined && !linked.isRemoved
  requireHostedAccount(provider, verified, { isLinked })
  if (isLinked) {
    refuseOwner(provider, linked)
    const role = roleOfMember(provider, verified)
    const refusedRole = await applyRole(tx, context, { provider, member: linked, role })
    await finish(tx, context, verified, linked.id)
    return { id: linked.id, refusedRole }
  }
  const email = provedEmail(provider, verified)
  const member = await findMemberByEmail(tx, email)
  const isOurs = member?.organizationId === context.organizationId
  if (member?.isProved && !isOurs) refuseSignIn('email_in_use')
  if (member !== undefined && isOurs) {
    refuseOwner(provider, member)
    await refuseSecondAccount(tx, member, verified)
    const refusedRole = await applyRole(tx, context, { provider, member, role: roleOfMember(provider, verified) })
    await finish(tx, context, verified, member.id)
    await proveAddress(tx, context, member.id)
    return { id: member.id, refusedRole }
  }
  if (linked !== undefined || (await wasRemoved(tx, context, email))) refuseSignIn('member_removed')
  const role = roleOfNew(provider, verified)
  const isRefused = isHigherRole(role, 'viewer') && (await context.rules.needApproval(tx, context.organizationId))
  if (member !== undefined) await takeAddress(tx, context, email)
  const person = { email, name: nameIn(verified), role: isRefused ? 'viewer' : role } as const
  const id = await createMember(tx, context, person)
  await finish(tx, context, verified, id)
  return { id, refusedRole: isRefused ? 'role_needs_approval' : undefined }
}

/** The verified address of a domain that the organization proved for this provider. */
function provedEmail(provider: SsoProvider, { claims }: VerifiedClaims): string {
  const verified = claimAt(claims, provider.verifiedEmailClaim)
  const isVerified = verified === true || verified === 'true' || verified === 1 || verified === '1'
  if (!isVerified || typeof claims.email !== 'string') return refuseSignIn('email_not_verified')
  const email = validEmail(claims.email)
  const domain = domainOfEmail(email)
  if (domain === undefined || !provider.domains.includes(domain)) refuseSignIn('domain_not_proved')
  return email
}

function validEmail(text: string): string {
  try {
    return validateEmail(text)
  } catch (error) {
    if (error instanceof Failure) return refuseSignIn('email_not_verified')
    throw error
  }
}

/** The administrator of a provider that makes no owners would be one, by an account with an owner's address. */
function refuseOwner({ allowOwner }: SsoProvider, { role }: { readonly role: Role }): void {
  if (role === 'owner' && !allowOwner) refuseSignIn('owner_not_allowed')
}

/** Of a present member: `undefined` leaves the role as it is. */
function roleOfMember(provider: SsoProvider, { claims }: VerifiedClaims): Role | undefined {
  return provider.roleClaim === null ? undefined : (roleFromClaims(provider, claims) ?? refuseSignIn('no_role'))
}

function roleOfNew(provider: SsoProvider, { claims }: VerifiedClaims): Role {
  return roleFromClaims(provider, claims) ?? refuseSignIn('no_role')
}

/** A display name, if the provider sends one that can be stored. */
function nameIn({ claims }: VerifiedClaims): string | null {
  const name = typeof claims.name === 'string' ? claims.name.trim() : ''
  return name === '' || name.length > NAME_LENGTH_MAX || /[\p{Cc}\p{Cs}]/u.test(name) ? null : name
}

/** Email addresses are unique among present members of all organizations. */
async function findMemberByEmail(tx: Tx, email: string) {
  return await tx
    .selectFrom('users')
    .select((of) => [
      'organization_id as organizationId',
      'id',
      'role',
      of('email_verified_at', 'is not', null).as('isProved'),
    ])
    .where('email', '=', email)
    .where('removed_at', 'is', null)
    .executeTakeFirst()
}

/** From a member of another organization, who may have proved it meanwhile. */
async function takeAddress(tx: Tx, { at, notices }: SignInContext, email: string): Promise<void> {
  try {
    await takeAddressOfDomain(tx, { ...notices, clock: { now: () => at } }, { email, takeAddress: true })
  } catch (error) {
    if (error instanceof Failure && error.code === 'CONFLICT') refuseSignIn('email_in_use')
    throw error
  }
}

async function wasRemoved(tx: Tx, { organizationId }: SignInContext, email: string): Promise<boolean> {
  const removed = await tx
    .selectFrom('users')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('email', '=', email)
    .limit(1)
    .executeTakeFirst()
  return removed !== undefined
}

async function createMember(
  tx: Tx,
  { organizationId, providerId, at, from, quotas }: SignInContext,
  person: { readonly email: string; readonly name: string | null; readonly role: Role },
): Promise<number> {
  const clock = { now: () => at }
  await requireQuota(tx, { clock, quotas }, { organizationId, quota: 'members', use: memberUse })
  const created = await insertUser(
    tx,
    { clock },
    { organizationId, passwordHash: NO_PASSWORD, verifiedAt: at, ...person },
  )
  if (created === undefined) return refuseSignIn('email_in_use')
  await appendAuditEntry(tx, {
    organizationId,
    actor: { type: 'system', id: null },
    action: 'addMemberBySso',
    objectType: 'member',
    objectId: created.id,
    from,
    at,
    details: { role: person.role, provider: providerId },
  })
  return created.id
}

/** The provider of a proved domain verified the address: nobody else can take it by an email. */
async function proveAddress(tx: Tx, { organizationId, at }: SignInContext, memberId: number): Promise<void> {
  await tx
    .updateTable('users')
    .set({ email_verified_at: at })
    .where('organization_id', '=', organizationId)
    .where('id', '=', memberId)
    .where('email_verified_at', 'is', null)
    .execute()
}

/**
 * Links the account, and ends a password that somebody else set and the member never replaced, with its sessions: the
 * person who set it may have opened one, which would be unrestricted now. With the first account everything ends that
 * somebody else may hold. With a new account the member approves nothing for a day: an admin chooses the provider, which
 * says who somebody is.
 */
async function finish(tx: Tx, context: SignInContext, verified: VerifiedClaims, memberId: number): Promise<void> {
  const { organizationId, at, assignedPasswords } = context
  const paused = pausedApproval(assignedPasswords, at)
  const isNew = await linkMember(tx, context, verified, memberId)
  if (isNew) await endAssignedSignIn(tx, context, memberId)
  if (isNew && paused.approves_after !== undefined)
    await tx
      .updateTable('users')
      .set(paused)
      .where('organization_id', '=', organizationId)
      .where('id', '=', memberId)
      .execute()
  const ended = await tx
    .updateTable('users')
    .set({ password_hash: NO_PASSWORD, password_assigned_at: null, ...OWN_PASSWORD })
    .where('organization_id', '=', organizationId)
    .where('id', '=', memberId)
    .where('password_change_required', '=', true)
    .executeTakeFirst()
  if (ended.numUpdatedRows === 0n) return
  await revokeResets(tx, { organizationId, id: memberId })
  await endSessions(tx, at, { organizationId, id: memberId })
}
