import { type Transact, transactOn } from '../../database/index.ts'
import { Failure } from '../../kernel/index.ts'
import { checkOwnPassword } from '../attempts/check-own-password.ts'
import { clearAttempt } from '../attempts/login-attempts.ts'
import { requireMail } from '../mail/queue-mail.ts'
import { sendVerification } from '../mail/send-verification.ts'
import { refusePasswordAccount, refusePasswordOfMember } from '../members/sso-requirement.ts'
import { findAccount } from '../sessions/find-account.ts'
import type { UserCredential } from '../shared/credential.ts'
import type { IdentityParts } from '../shared/parts.ts'
import { validateEmail } from '../shared/validate-text.ts'
import { tooManyMails } from './request-verification.ts'

export interface EmailChange {
  readonly email: string
  readonly currentPassword: string
  /** The network of the request; wrong passwords count like failed logins. */
  readonly address: string
}

/**
 * Sends a link to a new address of the user. The address changes when the link is confirmed; until then nothing does,
 * and nothing shows whether another account has it. VALIDATION_ERROR at `currentPassword` or `email`, FORBIDDEN without a
 * mail server, RATE_LIMIT_EXCEEDED, UNAUTHORIZED when the session ended meanwhile.
 */
export async function changeEmail(
  parts: Pick<IdentityParts, 'db' | 'clock' | 'random' | 'secrets' | 'mail'>,
  actor: UserCredential,
  input: EmailChange,
  transact: Transact<void> = transactOn(parts.db),
): Promise<void> {
  requireMail(parts)
  const email = validateEmail(input.email)
  const found = await findAccount(parts.db, actor)
  if (found === undefined) throw new Failure('UNAUTHORIZED')
  // A member who must sign in by single sign-on cannot leave the domain, nor enter it with a password.
  const { user } = found.account
  await refusePasswordOfMember(parts.db, user.email, parts.clock.now())
  await refusePasswordAccount(parts.db, email, parts.clock.now())
  const attempt = await checkOwnPassword(parts, { ...input, email: user.email, passwordHash: found.passwordHash })
  await transact(async (tx) => {
    await clearAttempt(tx, attempt)
    const { organizationId, userId } = actor
    if (!(await sendVerification(tx, parts, { organizationId, userId, email }))) throw tooManyMails()
  })
}
