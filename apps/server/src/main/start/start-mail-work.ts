import { type ChangeParts, notifyOfChangeRequests } from '../../changes/index.ts'
import type { PeriodicRunner } from '../../database/index.ts'
import { answerAddressRequests, type IdentityParts } from '../../identity/index.ts'
import { MAIL_POLL_SECONDS } from '../../kernel/index.ts'
import { deliverMails, type MailDeliveryParts } from '../../mail/index.ts'
import { notifyOfOperations } from '../../operations/index.ts'

/** Starts the delivery of mail. */
export function startMailWork(
  periodic: PeriodicRunner,
  parts: IdentityParts,
  changes: Pick<ChangeParts, 'sealer'>,
  delivery: MailDeliveryParts,
): void {
  periodic.every('answer address requests', MAIL_POLL_SECONDS, async (signal) => {
    await answerAddressRequests(parts, signal)
  })
  periodic.every('notify approvers', MAIL_POLL_SECONDS, async (_signal, lease) => {
    const leased = { ...parts, db: lease.database(parts.db) }
    await notifyOfOperations(leased)
    await notifyOfChangeRequests({ ...leased, sealer: changes.sealer })
  })
  periodic.everywhere('deliver mail', MAIL_POLL_SECONDS, async (signal, moved) => {
    await deliverMails(delivery, signal, moved)
  })
}
