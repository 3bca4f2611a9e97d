import { type Role, type Transact, type Tx, transactOn } from '../../database/index.ts'
import { type Clock, Failure } from '../../kernel/index.ts'
import { emailVerificationOf } from '../mail/queue-mail.ts'
import { sendVerification } from '../mail/send-verification.ts'
import type { UserCredential } from '../shared/credential.ts'
import { memberUse } from '../shared/identity-use.ts'
import type { IdentityParts } from '../shared/parts.ts'
import { requireQuota } from '../shared/require-quota.ts'
import { validateEmail, validateName } from '../shared/validate-text.ts'
import { assignedPassword, type pausedApproval } from './assign-password.ts'
import { hashNewPassword } from './hash-new-password.ts'
import { MEMBER_COLUMNS, type Member, memberFrom } from './member.ts'
import { refuseOwnerRole } from './member-rules.ts'
import { refusePasswordAccount } from './sso-requirement.ts'

export interface NewMember {
  readonly email: string
  readonly name?: string
  readonly role: Role
  readonly password: string
}

/**
 * Adds a person to the actor's organization. VALIDATION_ERROR for a malformed field, FORBIDDEN when an admin adds an
 * owner, CONFLICT for an email in use (contract 3) and at the quota. With one-time passwords the member must replace
 * this one first. FORBIDDEN, with the reason `invitation_required`, where addresses must be proved, and `sso_required`
 * for a domain that requires single sign-on.
 */
export async function addMember(
  parts: Pick<
    IdentityParts,
    'db' | 'clock' | 'random' | 'secrets' | 'assignedPasswords' | 'mail' | 'quotas' | 'passwordRules'
  >,
  actor: UserCredential,
  input: NewMember,
  transact: Transact<Member> = transactOn(parts.db),
): Promise<Member> {
  const email = validateEmail(input.email)
  const name = input.name === undefined ? null : validateName('name', input.name)
  refuseOwnerRole(actor, input.role)
  if (emailVerificationOf(parts) === 'required') {
    throw new Failure('FORBIDDEN', {
      message: 'This service adds members by invitation only. Use POST /api/core/invitations.',
      details: { reason: 'invitation_required' },
    })
  }
  const passwordHash = await hashNewPassword(parts, { password: input.password, about: [email, name] })
  return await transact(async (tx) => {
    const { organizationId } = actor
    await refusePasswordAccount(tx, email, parts.clock.now())
    await requireQuota(tx, parts, { organizationId, quota: 'members', use: memberUse })
    const assigned = assignedPassword(parts.assignedPasswords, parts.clock.now())
    const member = await insertUser(tx, parts, {
      organizationId,
      email,
      name,
      role: input.role,
      passwordHash,
      assigned,
    })
    if (member === undefined) throw new Failure('CONFLICT', { message: 'This email address is already in use.' })
    if (emailVerificationOf(parts) === 'optional')
      await sendVerification(tx, parts, { organizationId, userId: member.id, email })
    return member
  })
}

interface NewUser {
  readonly organizationId: number
  readonly email: string
  readonly name: string | null
  readonly role: Role
  readonly passwordHash: string
  /** Absent: the user chose the password. */
  readonly assigned?: ReturnType<typeof assignedPassword>
  /** What keeps the user from approving for now; absent: nothing. */
  readonly paused?: ReturnType<typeof pausedApproval>
  /** When the user proved the address; absent: not yet. */
  readonly verifiedAt?: Date
}

/** `undefined` when the email is in use; the unique index decides between concurrent inserts. */
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
      email_verified_at: user.verifiedAt ?? null,
      ...user.paused,
      ...user.assigned,
    })
    .onConflict((conflict) => conflict.column('email').where('removed_at', 'is', null).doNothing())
    .returning(MEMBER_COLUMNS)
    .executeTakeFirst()
  return row && memberFrom(row)
}
