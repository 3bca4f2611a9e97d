import { inTransaction, runItems, type Tx } from '../../database/index.ts'
import { Failure, WEBHOOK_STOP_BATCH, WEBHOOK_STOP_BATCHES_MAX } from '../../kernel/index.ts'
import { failPendingDeliveries } from '../lifecycle/advance-deliveries.ts'
import type { WebhookParts } from '../parts.ts'
import type { WebhookRef } from './read-webhooks.ts'

/**
 * Fails what was pending at webhooks that were disabled or deleted, in batches of bounded size, each webhook one in turn:
 * there may be millions, and a stop commits the webhook's row alone. Nothing is sent meanwhile, and readers see these
 * deliveries as failed. Returns how many it failed; the next call does the rest.
 */
export async function failStoppedDeliveries(
  parts: Pick<WebhookParts, 'db' | 'clock' | 'log'>,
  signal: AbortSignal,
): Promise<number> {
  let failed = 0
  for (let left = WEBHOOK_STOP_BATCHES_MAX; left > 0 && !signal.aborted; ) {
    const stopped = await readStopped(parts, left)
    let ended = 0
    await runItems(parts, stopped, {
      job: 'fail deliveries of stopped webhooks',
      keyOf: ({ webhookId }) => String(webhookId),
      async work(webhook) {
        failed += await inTransaction(parts.db, (tx) => failBatch(tx, webhook))
        ended += 1
      },
    })
    if (ended === 0) break
    left -= stopped.length
  }
  return failed
}

async function readStopped({ db }: Pick<WebhookParts, 'db'>, limit: number): Promise<WebhookRef[]> {
  return await db
    .selectFrom('webhooks')
    .select(['organization_id as organizationId', 'id as webhookId'])
    .where('stopped_at', 'is not', null)
    .orderBy('stopped_at')
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** The lock holds up nobody who relays events: the webhook is not among the subscribers. */
async function failBatch(tx: Tx, { organizationId, webhookId }: WebhookRef): Promise<number> {
  const webhook = await tx
    .selectFrom('webhooks')
    .select(['disabled_at', 'deleted_at'])
    .where('organization_id', '=', organizationId)
    .where('id', '=', webhookId)
    .where('stopped_at', 'is not', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!webhook) return 0
  // A process of the previous version enables a webhook without this column: what is pending then is sent.
  const isStopped = webhook.disabled_at !== null || webhook.deleted_at !== null
  const failed = isStopped ? await failPendingDeliveries(tx, { organizationId, webhookId }, WEBHOOK_STOP_BATCH) : 0
  if (failed < WEBHOOK_STOP_BATCH) {
    await tx
      .updateTable('webhooks')
      .set({ stopped_at: null })
      .where('organization_id', '=', organizationId)
      .where('id', '=', webhookId)
      .execute()
  }
  return failed
}

/**
 * Fails what was pending when a webhook was stopped that is to be enabled again, so that it receives no old events. The
 * caller holds its row lock. Error: CONFLICT with `reason: still_stopping` if more is left than one batch.
 */
export async function failBeforeEnabling(tx: Tx, named: WebhookRef): Promise<void> {
  if ((await failPendingDeliveries(tx, named, WEBHOOK_STOP_BATCH)) < WEBHOOK_STOP_BATCH) return
  throw new Failure('CONFLICT', {
    message: 'The webhook is still being stopped: many deliveries were pending. Try again in a moment.',
    details: { reason: 'still_stopping' },
  })
}
