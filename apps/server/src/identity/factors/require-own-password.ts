import { inTransaction } from '../../database/index.ts'
import { addMilliseconds, Failure, FRESH_SESSION_LIFETIME_MS } from '../../kernel/index.ts'
import { checkOwnPassword } from '../attempts/check-own-password.ts'
import { clearAttempt } from '../attempts/login-attempts.ts'
import type { UserCredential } from '../shared/credential.ts'
import type { IdentityParts } from '../shared/parts.ts'

export interface OwnPassword {
  /** Absent: the session must have begun within five minutes. */
  readonly currentPassword?: string
  /** The network of the request; wrong passwords count like failed sign-ins. */
  readonly address: string
}

/**
 * Requires the user's password, or a session that began just now: a stolen access token is not enough to enroll a
 * factor. Errors: VALIDATION_ERROR at `currentPassword` for a wrong one, FORBIDDEN (`password_required`) without one,
 * RATE_LIMIT_EXCEEDED after too many failures, UNAUTHORIZED once the session has ended.
 */
export async function requireOwnPassword(
  parts: Pick<IdentityParts, 'db' | 'clock' | 'secrets'>,
  actor: UserCredential,
  { currentPassword, address }: OwnPassword,
): Promise<void> {
  const { organizationId, userId, sessionId } = actor
  const user = await parts.db
    .selectFrom('users')
    .innerJoin('sessions', (join) =>
      join.onRef('sessions.organization_id', '=', 'users.organization_id').onRef('sessions.user_id', '=', 'users.id'),
    )
    .select(['users.email', 'users.password_hash', 'sessions.created_at'])
    .where('users.organization_id', '=', organizationId)
    .where('users.id', '=', userId)
    .where('sessions.id', '=', sessionId)
    .executeTakeFirst()
  if (user === undefined) throw new Failure('UNAUTHORIZED')
  if (currentPassword === undefined) {
    if (user.created_at > addMilliseconds(parts.clock.now(), -FRESH_SESSION_LIFETIME_MS)) return
    throw new Failure('FORBIDDEN', {
      message: 'Send your current password, or sign in again within five minutes before this.',
      details: { reason: 'password_required' },
    })
  }
  const { email, password_hash: passwordHash } = user
  const attempt = await checkOwnPassword(parts, { email, passwordHash, currentPassword, address })
  await inTransaction(parts.db, (tx) => clearAttempt(tx, attempt))
}
