import { type Role, type Transact, transactOn } from '../../database/index.ts'
import { Failure } from '../../kernel/index.ts'
import { revokeResets } from '../mail/account-token.ts'
import { notifyAccount } from '../mail/notify-account.ts'
import type { UserCredential } from '../shared/credential.ts'
import type { IdentityParts } from '../shared/parts.ts'
import { validateName } from '../shared/validate-text.ts'
import { assignedPassword, pausedApproval } from './assign-password.ts'
import { endSessions } from './end-sessions.ts'
import { hashNewPassword } from './hash-new-password.ts'
import { APPROVER_ROLES, MEMBER_COLUMNS, type Member, memberFrom } from './member.ts'
import { lockMember, refuseAnotherAdmin, refuseLastOwner, refuseOwnerRole } from './member-rules.ts'
import { refusePasswordOfMember } from './sso-requirement.ts'

/** The changeable fields of a member; omitted fields are unchanged. */
export interface MemberUpdate {
  /** `null` clears it. */
  readonly name?: string | null
  readonly role?: Role
  /** Of another member, and ends their sessions and links that reset it. With one-time passwords they must replace it first. */
  readonly password?: string
}

export interface UpdateMemberInput {
  readonly actor: UserCredential
  readonly memberId: number
  readonly changes: MemberUpdate
}

/**
 * Changes a member. A new role takes effect with the member's next request. NOT_FOUND, FORBIDDEN when an admin changes
 * or makes an owner or sets another admin's password, or anyone sets their own, or (`sso_required`) the password of a
 * member who must sign in by single sign-on, CONFLICT when the last owner would lose the role, VALIDATION_ERROR for a malformed field (contract 3).
 * The member is notified of a new password or role by mail.
 */
export async function updateMember(
  parts: Pick<IdentityParts, 'db' | 'clock' | 'secrets' | 'assignedPasswords' | 'mail' | 'passwordRules'>,
  { actor, memberId, changes }: UpdateMemberInput,
  transact: Transact<Member> = transactOn(parts.db),
): Promise<Member> {
  if (changes.password !== undefined) refuseOwnPassword(actor, memberId)
  const name = typeof changes.name === 'string' ? validateName('name', changes.name) : changes.name
  const passwordHash =
    changes.password === undefined
      ? undefined
      : await hashNewPassword(parts, { password: changes.password, about: [name] })
  return await transact(async (tx) => {
    const { organizationId } = actor
    const member = await lockMember(tx, actor, memberId)
    refuseOwnerRole(actor, changes.role)
    if (changes.role !== undefined && changes.role !== 'owner') await refuseLastOwner(tx, organizationId, member)
    const now = parts.clock.now()
    if (passwordHash !== undefined) {
      refuseAnotherAdmin(actor, member)
      await refusePasswordOfMember(tx, member.email, now)
      await revokeResets(tx, { organizationId, id: memberId })
    }
    const becomesApprover =
      changes.role !== undefined && APPROVER_ROLES.includes(changes.role) && !APPROVER_ROLES.includes(member.role)
    const columns = {
      ...(becomesApprover ? pausedApproval(parts.assignedPasswords, now) : {}),
      role: changes.role ?? member.role,
      name: name === undefined ? member.name : name,
      ...(passwordHash === undefined
        ? {}
        : { password_hash: passwordHash, ...assignedPassword(parts.assignedPasswords, now) }),
    }
    const row = await tx
      .updateTable('users')
      .set(columns)
      .where('organization_id', '=', organizationId)
      .where('id', '=', memberId)
      .returning(MEMBER_COLUMNS)
      .executeTakeFirstOrThrow()
    const { email } = member
    if (passwordHash !== undefined) {
      // After the update: a log-in with the old password has committed its session by now, or fails.
      await endSessions(tx, now, { organizationId, id: memberId })
      await notifyAccount(tx, parts, { organizationId, email, change: { what: 'assigned_password' } })
    }
    if (row.role !== member.role) {
      const change = { what: 'role', from: member.role, to: row.role } as const
      await notifyAccount(tx, parts, { organizationId, email, change })
    }
    return memberFrom(row)
  })
}

/** A session does not prove who uses it: a stolen one would keep the account. */
function refuseOwnPassword(actor: UserCredential, memberId: number): void {
  if (memberId !== actor.userId) return
  throw new Failure('FORBIDDEN', {
    message: 'Change your own password at POST /api/core/auth/password, which takes your current password too.',
  })
}
