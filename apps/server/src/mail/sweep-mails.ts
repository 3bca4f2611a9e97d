import { addMilliseconds, MAILS_RETENTION_MS } from '../kernel/index.ts'
import type { MailDeliveryParts } from './parts.ts'

/** Removes mails that ended, once they no longer count for the limits of their address. */
export async function sweepMails({ db, clock }: Pick<MailDeliveryParts, 'db' | 'clock'>): Promise<void> {
  await db
    .deleteFrom('mails')
    .where('next_attempt_at', 'is', null)
    .where('created_at', '<=', addMilliseconds(clock.now(), -MAILS_RETENTION_MS))
    .execute()
}
