import { inTransaction } from '../database/index.ts'
import { Failure } from '../kernel/index.ts'
import { findAccount } from './find-account.ts'
import { attemptSubject, claimAttempt, forgetAttempts, sweepAttempts } from './login-attempts.ts'
import type { Finish, IdentityParts } from './parts.ts'
import { passwordMatches } from './password.ts'
import { openSession, type SignedIn } from './session.ts'
import { normalizedEmail } from './text.ts'

export interface Login {
  readonly email: string
  readonly password: string
  /** Where the request came from; failures are counted per account and address. */
  readonly address: string
}

/**
 * Opens a session. UNAUTHORIZED, alike in words and work, for an unknown e-mail and a wrong password;
 * RATE_LIMIT_EXCEEDED after ten failures in fifteen minutes (decisions 3).
 */
export async function logIn(
  parts: Pick<IdentityParts, 'db' | 'clock' | 'random' | 'secrets' | 'environment'>,
  input: Login,
  finish?: Finish<SignedIn>,
): Promise<SignedIn> {
  const email = normalizedEmail(input.email)
  const subject = attemptSubject(parts.secrets.pepper, email, input.address)
  await claimAttempt(parts, subject)
  // PostgreSQL cannot hold a NUL in a text, so nobody is called like that.
  const found = email.includes('\0') ? undefined : await findAccount(parts.db, { email })
  if (!(await passwordMatches(found?.passwordHash, input.password)) || found === undefined) {
    await sweepAttempts(parts)
    throw new Failure('UNAUTHORIZED', { message: 'Wrong e-mail or password.' })
  }
  return await inTransaction(parts.db, async (tx) => {
    await forgetAttempts(tx, subject)
    const signedIn = await openSession(tx, parts, found.account)
    await finish?.(tx, signedIn)
    return signedIn
  })
}
