import { sql } from 'kysely'
import { type Role, type Transact, type Tx, transactOn } from '../../database/index.ts'
import {
  addMilliseconds,
  Failure,
  MEMBER_INVITATION_LIFETIME_MS,
  MEMBER_INVITATIONS_OPEN_MAX,
  MEMBER_INVITATIONS_PER_DAY_MAX,
} from '../../kernel/index.ts'
import { tooManyMails } from '../addresses/request-verification.ts'
import { newToken } from '../mail/account-token.ts'
import { organizationNameOf } from '../mail/notify-account.ts'
import { emailVerificationOf, queueMail, requireMail } from '../mail/queue-mail.ts'
import { refuseOwnerRole } from '../members/member-rules.ts'
import type { UserCredential } from '../shared/credential.ts'
import { lockOrganization } from '../shared/lock-organization.ts'
import type { IdentityParts } from '../shared/parts.ts'
import { validateEmail } from '../shared/validate-text.ts'
import { INVITATION_COLUMNS, invitationFrom, type MemberInvitation } from './member-invitation.ts'

export interface NewMemberInvitation {
  readonly email: string
  readonly role: Role
}

/**
 * Invites a person to the actor's organization by mail, for a week; an open invitation of the same address ends. Nothing
 * shows whether the address has an account in another organization. VALIDATION_ERROR for a malformed address; FORBIDDEN
 * when an admin invites an owner, when the actor's own address is not proved, and without a mail server; CONFLICT for an
 * address of a member; RATE_LIMIT_EXCEEDED for too many invitations.
 */
export async function inviteMember(
  parts: Pick<IdentityParts, 'db' | 'clock' | 'random' | 'secrets' | 'mail'>,
  actor: UserCredential,
  input: NewMemberInvitation,
  transact: Transact<MemberInvitation> = transactOn(parts.db),
): Promise<MemberInvitation> {
  requireMail(parts)
  const email = validateEmail(input.email)
  refuseOwnerRole(actor, input.role)
  return await transact(async (tx) => {
    const { organizationId } = actor
    const at = parts.clock.now()
    // One invitation of an organization at a time, so that its limits hold.
    await lockOrganization(tx, organizationId)
    const organizationName = await organizationNameOf(tx, organizationId)
    const inviter = await provedInviter(tx, parts, actor)
    await refuseMember(tx, organizationId, email)
    await endEarlier(tx, at, { organizationId, email })
    await refuseTooMany(tx, at, organizationId)
    const token = newToken(parts, 'member_invitation')
    const row = await tx
      .insertInto('member_invitations')
      .values({
        organization_id: organizationId,
        email,
        role: input.role,
        token_hash: token.hash,
        invited_by: actor.userId,
        created_at: at,
        expires_at: addMilliseconds(at, MEMBER_INVITATION_LIFETIME_MS),
      })
      .returning(INVITATION_COLUMNS)
      .executeTakeFirstOrThrow()
    const content = {
      kind: 'member_invitation',
      organizationName,
      invitedBy: inviter,
      role: input.role,
      token: token.text,
    } as const
    const lifetimeMs = MEMBER_INVITATION_LIFETIME_MS
    const isQueued = await queueMail(tx, parts, { to: email, content, lifetimeMs, organizationId })
    if (!isQueued) throw tooManyMails()
    return invitationFrom(row)
  })
}

/** The inviter's address, which the email names. FORBIDDEN while it is not proved: strangers would send mail as it. */
async function provedInviter(
  tx: Tx,
  parts: Pick<IdentityParts, 'mail'>,
  { organizationId, userId }: UserCredential,
): Promise<string> {
  const inviter = await tx
    .selectFrom('users')
    .select(['email', 'email_verified_at as verifiedAt'])
    .where('organization_id', '=', organizationId)
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  if (inviter.verifiedAt === null && emailVerificationOf(parts) !== 'off') {
    throw new Failure('FORBIDDEN', {
      message: 'Verify your own email address first: POST /api/core/auth/email-verification.',
      details: { reason: 'email_not_verified' },
    })
  }
  return inviter.email
}

async function refuseMember(tx: Tx, organizationId: number, email: string): Promise<void> {
  const member = await tx
    .selectFrom('users')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('email', '=', email)
    .where('removed_at', 'is', null)
    .executeTakeFirst()
  if (member !== undefined) throw new Failure('CONFLICT', { message: 'A member already has this email address.' })
}

async function endEarlier(
  tx: Tx,
  at: Date,
  { organizationId, email }: { readonly organizationId: number; readonly email: string },
): Promise<void> {
  await tx
    .updateTable('member_invitations')
    .set({ revoked_at: at })
    .where('organization_id', '=', organizationId)
    .where('email', '=', email)
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .execute()
}

async function refuseTooMany(tx: Tx, at: Date, organizationId: number): Promise<void> {
  const { rows } = await sql<{ open: number; today: number }>`
    select
      count(*) filter (where accepted_at is null and revoked_at is null and expires_at > ${at}) as open,
      count(*) filter (where created_at > ${addMilliseconds(at, -86_400_000)}) as today
    from member_invitations where organization_id = ${organizationId}
  `.execute(tx)
  const { open = 0, today = 0 } = rows[0] ?? {}
  if (open >= MEMBER_INVITATIONS_OPEN_MAX || today >= MEMBER_INVITATIONS_PER_DAY_MAX) {
    throw new Failure('RATE_LIMIT_EXCEEDED', {
      message:
        'This organization has sent too many invitations today, or has too many open ones. Revoke some, or try again tomorrow.',
      details: { retryAfterSeconds: 3_600 },
    })
  }
}
