import { type Transact, transactOn } from '../../database/index.ts'
import { Failure } from '../../kernel/index.ts'
import { requireMail } from '../mail/queue-mail.ts'
import { sendVerification } from '../mail/send-verification.ts'
import type { UserCredential } from '../shared/credential.ts'
import type { IdentityParts } from '../shared/parts.ts'

/**
 * Sends the user's own address another link that proves it. Returns `false` without an email when it is proved already.
 * FORBIDDEN without a mail server, RATE_LIMIT_EXCEEDED when the address has had enough such emails.
 */
export async function requestVerification(
  parts: Pick<IdentityParts, 'db' | 'clock' | 'random' | 'secrets' | 'mail'>,
  { organizationId, userId }: UserCredential,
  transact: Transact<boolean> = transactOn(parts.db),
): Promise<boolean> {
  requireMail(parts)
  return await transact(async (tx) => {
    const user = await tx
      .selectFrom('users')
      .select(['email', 'email_verified_at as verifiedAt'])
      .where('organization_id', '=', organizationId)
      .where('id', '=', userId)
      .executeTakeFirstOrThrow()
    if (user.verifiedAt !== null) return false
    if (!(await sendVerification(tx, parts, { organizationId, userId, email: user.email }))) throw tooManyMails()
    return true
  })
}

/** The address has had enough emails of this kind for an hour. */
export function tooManyMails(): Failure {
  return new Failure('RATE_LIMIT_EXCEEDED', {
    message: 'This address has received too many emails. Try again in an hour.',
    details: { retryAfterSeconds: 3_600 },
  })
}
