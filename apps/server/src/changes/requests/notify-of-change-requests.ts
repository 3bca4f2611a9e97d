import type { Tx } from '../../database/index.ts'
import { type IdentityParts, notifyApprovers, notifyEach } from '../../identity/index.ts'
import { APPROVAL_MAILS_BATCH } from '../../kernel/index.ts'
import type { ChangeParts } from '../parts.ts'
import { stateAt } from './change-request.ts'
import { type ChangeRequestRef, lockChangeRequest } from './lock-change-request.ts'

type NotifyParts = Pick<ChangeParts, 'db' | 'clock' | 'sealer'> & Pick<IdentityParts, 'log' | 'secrets' | 'mail'>

/**
 * Queues emails to those who may approve change requests that were opened, and returns how many requests there were.
 */
export async function notifyOfChangeRequests(parts: NotifyParts): Promise<number> {
  const waiting = await parts.db
    .selectFrom('change_requests')
    .select(['organization_id as organizationId', 'id as changeRequestId'])
    .where('state', '=', 'requested')
    .where('approvers_notified_at', 'is', null)
    .orderBy('id')
    .limit(APPROVAL_MAILS_BATCH)
    .execute()
  return notifyEach(parts, waiting, (tx, request) => notify(tx, parts, request))
}

async function notify(tx: Tx, parts: NotifyParts, ref: ChangeRequestRef): Promise<void> {
  const found = await lockChangeRequest(tx, parts, ref)
  const { requesterUserId, content } = found
  const now = parts.clock.now()
  const { organizationId, changeRequestId: id } = ref
  const marked = await tx
    .updateTable('change_requests')
    .set({ approvers_notified_at: now })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .where('approvers_notified_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  // It was decided meanwhile, or another process was faster.
  if (marked === undefined || stateAt(found, now) !== 'requested') return
  const request = { what: 'change', id, summary: content.summary } as const
  await notifyApprovers(tx, parts, { organizationId, exceptUserId: requesterUserId, request })
}
