import type { Tx } from '../../database/index.ts'
import { NOTICE_LIFETIME_MS } from '../../kernel/index.ts'
import type { IdentityParts } from '../shared/parts.ts'
import type { AccountChange } from './mail-content.ts'
import { queueMail } from './queue-mail.ts'

/** Tells an address by mail that its account changed, with the change's commit; nothing happens without a mail server. */
export async function notifyAccount(
  tx: Tx,
  parts: Pick<IdentityParts, 'clock' | 'secrets' | 'mail'>,
  { organizationId, email, change }: { organizationId: number; email: string; change: AccountChange },
): Promise<void> {
  if (parts.mail === undefined) return
  const organizationName = await organizationNameOf(tx, organizationId)
  await queueMail(tx, parts, {
    to: email,
    content: { kind: 'notice', organizationName, change },
    lifetimeMs: NOTICE_LIFETIME_MS,
    organizationId,
  })
}

export async function organizationNameOf(tx: Tx, organizationId: number): Promise<string> {
  const { name } = await tx
    .selectFrom('organizations')
    .select('name')
    .where('id', '=', organizationId)
    .executeTakeFirstOrThrow()
  return name
}
