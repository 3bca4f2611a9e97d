import { type Transact, transactOn } from '../../database/index.ts'
import { Failure, validationError } from '../../kernel/index.ts'
import { checkOwnPassword } from '../attempts/check-own-password.ts'
import { clearAttempt } from '../attempts/login-attempts.ts'
import { replaceCookie } from '../factors/replace-cookie.ts'
import { revokeResets } from '../mail/account-token.ts'
import { notifyAccount } from '../mail/notify-account.ts'
import { OWN_PASSWORD } from '../members/assign-password.ts'
import { endSessions } from '../members/end-sessions.ts'
import { hashNewPassword } from '../members/hash-new-password.ts'
import { passwordMatches } from '../members/password.ts'
import { refusePasswordOfMember } from '../members/sso-requirement.ts'
import type { UserCredential } from '../shared/credential.ts'
import type { IdentityParts } from '../shared/parts.ts'
import { findAccount } from './find-account.ts'

export interface PasswordChange {
  readonly currentPassword: string
  readonly newPassword: string
  /** The network of the request; wrong current passwords count like failed logins. */
  readonly address: string
}

export interface ChangedPassword {
  /** How many other sessions ended. */
  readonly ended: number
  /** The value of the cookie that replaces the browser's; absent for other clients. */
  readonly cookie: string | undefined
}

/**
 * Sets the user's own password, ends all their other sessions and links that reset the old password, and gives the
 * browser of this one another cookie. VALIDATION_ERROR at
 * `currentPassword` if it is wrong, and at `newPassword` if it is too short, too long or the current one;
 * RATE_LIMIT_EXCEEDED after too many failures; UNAUTHORIZED when the session ended meanwhile; FORBIDDEN (`sso_required`)
 * for a member who must sign in by single sign-on.
 */
export async function changePassword(
  parts: Pick<IdentityParts, 'db' | 'clock' | 'random' | 'secrets' | 'mail' | 'passwordRules'>,
  actor: UserCredential,
  input: PasswordChange,
  transact: Transact<ChangedPassword> = transactOn(parts.db),
): Promise<ChangedPassword> {
  const found = await findAccount(parts.db, actor)
  if (found === undefined) throw new Failure('UNAUTHORIZED')
  const { user, organization } = found.account
  await refusePasswordOfMember(parts.db, user.email, parts.clock.now())
  const attempt = await checkOwnPassword(parts, { ...input, email: user.email, passwordHash: found.passwordHash })
  const isSame = await passwordMatches(found.passwordHash, input.newPassword)
  if (isSame) throw validationError('newPassword', 'must differ from the current password')
  const passwordHash = await hashNewPassword(parts, {
    password: input.newPassword,
    path: 'newPassword',
    about: [user.email, user.name, organization.name],
  })
  return await transact(async (tx) => {
    const { organizationId, userId, sessionId } = actor
    const now = parts.clock.now()
    await revokeResets(tx, { organizationId, id: userId })
    const changed = await tx
      .updateTable('users')
      .set({ password_hash: passwordHash, ...OWN_PASSWORD })
      .where('organization_id', '=', organizationId)
      .where('id', '=', userId)
      .where('password_hash', '=', found.passwordHash)
      .where('removed_at', 'is', null)
      .executeTakeFirst()
    // Somebody else replaced the password, or removed the member, while this request checked it.
    if (changed.numUpdatedRows === 0n) throw new Failure('UNAUTHORIZED')
    await clearAttempt(tx, attempt)
    await notifyAccount(tx, parts, { organizationId, email: user.email, change: { what: 'own_password' } })
    const cookie = await replaceCookie(tx, parts, actor)
    return { ended: await endSessions(tx, now, { organizationId, id: userId }, sessionId), cookie }
  })
}
