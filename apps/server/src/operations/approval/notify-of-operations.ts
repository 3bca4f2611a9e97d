import type { Tx } from '../../database/index.ts'
import { type IdentityParts, notifyApprovers, notifyEach } from '../../identity/index.ts'
import { APPROVAL_MAILS_BATCH, formatDecimal } from '../../kernel/index.ts'
import { readOperation } from '../lifecycle/reads/read-operations.ts'
import { operationViewOf, selectOperationViews } from '../views/operation-view.ts'
import { countApprovals } from './count-approvals.ts'

type NotifyParts = Pick<IdentityParts, 'db' | 'clock' | 'log' | 'secrets' | 'mail'>

interface Waiting {
  readonly organizationId: number
  readonly operationId: number
}

/**
 * Queues emails to those who may approve operations that started to wait, and returns how many operations there were.
 */
export async function notifyOfOperations(parts: NotifyParts): Promise<number> {
  const waiting = await parts.db
    .selectFrom('operations')
    .select(['organization_id as organizationId', 'id as operationId'])
    .where('state', '=', 'PENDING_APPROVAL')
    .where('approvers_notified_at', 'is', null)
    .orderBy('id')
    .limit(APPROVAL_MAILS_BATCH)
    .execute()
  return notifyEach(parts, waiting, (tx, operation) => notify(tx, parts, operation))
}

async function notify(tx: Tx, parts: NotifyParts, { organizationId, operationId }: Waiting): Promise<void> {
  const marked = await tx
    .updateTable('operations')
    .set({ approvers_notified_at: parts.clock.now() })
    .where('organization_id', '=', organizationId)
    .where('id', '=', operationId)
    .where('state', '=', 'PENDING_APPROVAL')
    .where('approvers_notified_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  // It was decided meanwhile, or another process was faster.
  if (marked === undefined) return
  const operation = await readOperation(tx, { organizationId, walletProfileId: null }, operationId)
  const { excludedUserId } = await countApprovals(tx, operation)
  const row = await selectOperationViews(tx, organizationId)
    .where('operations.id', '=', operationId)
    .executeTakeFirstOrThrow()
  const { type, amount, revokesAllowance, token, tokenDecimals, blockchain, venueName } = operationViewOf(row)
  await notifyApprovers(tx, parts, {
    organizationId,
    exceptUserId: excludedUserId,
    request: {
      what: 'operation',
      id: operationId,
      type: revokesAllowance === null ? type : 'REVOKE',
      amount: formatDecimal(revokesAllowance ?? amount, tokenDecimals),
      token,
      blockchain,
      venueName,
    },
  })
}
