import { type Transact, transactOn } from '../../database/index.ts'
import { APPROVAL_PAUSE_MS, addMilliseconds } from '../../kernel/index.ts'
import { attemptOf, forgiveAttempts, rememberAddress } from '../attempts/login-attempts.ts'
import { consumeToken, invalidToken, revokeTokens } from '../mail/account-token.ts'
import { notifyAccount } from '../mail/notify-account.ts'
import { afterReset, OWN_PASSWORD } from '../members/assign-password.ts'
import { endSessions } from '../members/end-sessions.ts'
import { hashNewPassword } from '../members/hash-new-password.ts'
import { refusePasswordOfMember } from '../members/sso-requirement.ts'
import { findAccount } from '../sessions/find-account.ts'
import type { Account } from '../sessions/session.ts'
import { clearTokenAttempt, recordTokenAttempt } from '../sessions/token-attempts.ts'
import type { IdentityParts } from '../shared/parts.ts'

export interface PasswordResetConfirmation {
  readonly token: string
  readonly newPassword: string
  /** The network of the request; wrong tokens are counted per network. */
  readonly address: string
}

export interface PasswordReset extends Account {
  readonly ended: number
}

/**
 * Sets the password of the account that a reset token was sent for, and ends all its sessions and other tokens. The
 * token proves the address, and the account counts as used from its network: guesses from elsewhere do not lock its user out
 * there. The user approves nothing for a day, because a mailbox may be read by others (ADR 105, ADR
 * 107). FORBIDDEN for a token that is not valid, VALIDATION_ERROR at `newPassword`, RATE_LIMIT_EXCEEDED after too many
 * wrong tokens. FORBIDDEN (`sso_required`) for a member who must sign in by single sign-on.
 */
export async function confirmPasswordReset(
  parts: Pick<IdentityParts, 'db' | 'clock' | 'secrets' | 'mail' | 'passwordRules'>,
  { token, newPassword, address }: PasswordResetConfirmation,
  transact: Transact<PasswordReset> = transactOn(parts.db),
): Promise<PasswordReset> {
  const attempt = await recordTokenAttempt(parts, address)
  const passwordHash = await hashNewPassword(parts, { password: newPassword, path: 'newPassword', about: [] })
  return await transact(async (tx) => {
    const at = parts.clock.now()
    const { email, organizationId, userId } = await consumeToken(tx, at, { purpose: 'password_reset', token })
    const found = await findAccount(tx, { email })
    // The member may have been removed, or have another address now.
    if (found?.account.user.id !== userId || organizationId === null || userId === null) throw invalidToken()
    const { user, organization } = found.account
    await refusePasswordOfMember(tx, email, at)
    const member = { organizationId, id: userId }
    await tx
      .updateTable('users')
      .set((column) => ({
        password_hash: passwordHash,
        ...OWN_PASSWORD,
        password_assigned_at: afterReset(),
        approves_after: addMilliseconds(at, APPROVAL_PAUSE_MS),
        email_verified_at: column.fn.coalesce('email_verified_at', column.val(at)),
      }))
      .where('organization_id', '=', organizationId)
      .where('id', '=', userId)
      .execute()
    await revokeTokens(tx, member)
    await clearTokenAttempt(tx, attempt)
    await forgiveAttempts(tx, parts, { email, address })
    // Whatever strangers guess meanwhile, the new password works here.
    await rememberAddress(tx, attemptOf(parts, { kind: 'password', email, address }))
    const ended = await endSessions(tx, at, member)
    await notifyAccount(tx, parts, { organizationId, email, change: { what: 'reset_password' } })
    return { user, organization, ended }
  })
}
