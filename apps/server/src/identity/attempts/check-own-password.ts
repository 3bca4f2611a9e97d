import { validationError } from '../../kernel/index.ts'
import { passwordMatches } from '../members/password.ts'
import type { IdentityParts } from '../shared/parts.ts'
import { type LoginAttempt, recordAttempt, sweepAttempts } from './login-attempts.ts'

export interface OwnPasswordCheck {
  readonly email: string
  readonly passwordHash: string
  readonly currentPassword: string
  /** The network of the request. */
  readonly address: string
}

/**
 * Checks the password of a user who is signed in; wrong ones count like failed logins. Returns the attempt, which the
 * transaction of the change clears. VALIDATION_ERROR at `currentPassword` (`wrong_password`), RATE_LIMIT_EXCEEDED after
 * too many failures.
 */
export async function checkOwnPassword(
  parts: Pick<IdentityParts, 'db' | 'clock' | 'secrets'>,
  { email, passwordHash, currentPassword, address }: OwnPasswordCheck,
): Promise<LoginAttempt> {
  const attempt = await recordAttempt(parts, { kind: 'password', email, address })
  if (await passwordMatches(passwordHash, currentPassword)) return attempt
  await sweepAttempts(parts)
  throw validationError('currentPassword', 'is not the current password', { reason: 'wrong_password' })
}
