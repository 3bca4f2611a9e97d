import { type Transact, transactOn } from '../../database/index.ts'
import { Failure } from '../../kernel/index.ts'
import { passwordMatches } from '../members/password.ts'
import type { IdentityParts } from '../shared/parts.ts'
import { normalizeEmail } from '../shared/validate-text.ts'
import { findAccount } from './find-account.ts'
import { attemptSubject, clearAttempts, recordAttempt, sweepAttempts } from './login-attempts.ts'
import { openSession, type SessionWithTokens } from './session.ts'

export interface Login {
  readonly email: string
  readonly password: string
  /** The network address of the request; failures are counted per account and address. */
  readonly address: string
}

/**
 * Opens a session. UNAUTHORIZED, with the same message and the same work, for an unknown e-mail and a wrong password;
 * RATE_LIMIT_EXCEEDED after ten failures in fifteen minutes (contract 3).
 */
export async function logIn(
  parts: Pick<IdentityParts, 'db' | 'clock' | 'random' | 'secrets' | 'environment'>,
  input: Login,
  transact: Transact<SessionWithTokens> = transactOn(parts.db),
): Promise<SessionWithTokens> {
  const email = normalizeEmail(input.email)
  const subject = attemptSubject(parts.secrets.pepper, email, input.address)
  await recordAttempt(parts, subject)
  // PostgreSQL text cannot contain a NUL, so no account has such an e-mail.
  const found = email.includes('\0') ? undefined : await findAccount(parts.db, { email })
  if (!(await passwordMatches(found?.passwordHash, input.password)) || found === undefined) {
    await sweepAttempts(parts)
    throw new Failure('UNAUTHORIZED', { message: 'Wrong e-mail or password.' })
  }
  return await transact(async (tx) => {
    await clearAttempts(tx, subject)
    return await openSession(tx, parts, found.account)
  })
}
