import type { Tx } from '../../database/index.ts'
import { EMAIL_VERIFICATION_LIFETIME_MS } from '../../kernel/index.ts'
import type { IdentityParts } from '../shared/parts.ts'
import { issueToken } from './account-token.ts'
import { organizationNameOf } from './notify-account.ts'
import { queueMail, withinMailLimit } from './queue-mail.ts'

/**
 * Sends a link by which a member proves that an address is theirs. Returns whether an email was queued; nothing is
 * queued without a mail server, or when the address has had enough such emails.
 */
export async function sendVerification(
  tx: Tx,
  parts: Pick<IdentityParts, 'clock' | 'random' | 'secrets' | 'mail'>,
  { organizationId, userId, email }: { organizationId: number; userId: number; email: string },
): Promise<boolean> {
  const kind = 'email_verification'
  if (parts.mail === undefined || !(await withinMailLimit(tx, parts, { to: email, kind, organizationId }))) return false
  const user = { organizationId, id: userId }
  const token = await issueToken(tx, parts, { purpose: kind, email, user })
  const organizationName = await organizationNameOf(tx, organizationId)
  const content = { kind, organizationName, token } as const
  const lifetimeMs = EMAIL_VERIFICATION_LIFETIME_MS
  return await queueMail(tx, parts, { to: email, content, lifetimeMs, organizationId })
}
