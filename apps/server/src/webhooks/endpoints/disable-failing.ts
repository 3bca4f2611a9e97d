import { type Database, emit, inTransaction, runItems, type Tx } from '../../database/index.ts'
import { addMilliseconds, WEBHOOK_DISABLE_AFTER_MS, WEBHOOK_DISABLE_BATCH } from '../../kernel/index.ts'
import { DISABLED_EVENT } from '../events/event-names.ts'
import type { WebhookParts } from '../parts.ts'

interface FailingWebhook {
  readonly organization_id: number
  readonly id: number
}

/**
 * Disables failing webhooks without a success in three days and emits `webhook.disabled` to the organization's other
 * webhooks (contract 12), each in a transaction of its own: one that cannot be disabled stops no other. Returns how many
 * were disabled.
 */
export async function disableFailingWebhooks(parts: Pick<WebhookParts, 'db' | 'clock' | 'log'>): Promise<number> {
  const { db, clock } = parts
  let disabled = 0
  await runItems(parts, await failingAt(db, clock.now()), {
    job: 'disable failing webhooks',
    keyOf: ({ id }) => String(id),
    async work(webhook) {
      if (await inTransaction(db, (tx) => disableIfFailing(tx, webhook, clock.now()))) disabled += 1
    },
  })
  return disabled
}

const overdue = (db: Database | Tx, at: Date) =>
  db
    .selectFrom('webhooks')
    .where('failing_at', 'is not', null)
    .where('disabled_at', 'is', null)
    .where('deleted_at', 'is', null)
    .where('failing_since', '<=', addMilliseconds(at, -WEBHOOK_DISABLE_AFTER_MS))

function failingAt(db: Database, at: Date): Promise<FailingWebhook[]> {
  return overdue(db, at)
    .select(['organization_id', 'id'])
    .orderBy('failing_since')
    .orderBy('id')
    .limit(WEBHOOK_DISABLE_BATCH)
    .execute()
}

/** Checks again under the lock: it may have succeeded meanwhile, or another process was faster. */
async function disableIfFailing(tx: Tx, { organization_id: organizationId, id }: FailingWebhook, at: Date) {
  const row = await overdue(tx, at)
    .select(['url', 'failing_since'])
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
  if (row === undefined) return false
  await tx
    .updateTable('webhooks')
    .set({ disabled_at: at, disable_reason: 'failing', due_at: null, stopped_at: at, updated_at: at })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute()
  const failingSince = row.failing_since?.toISOString() ?? null
  // The other receivers need not know its path or query, where tokens often are.
  const { origin } = new URL(row.url)
  const data = { webhookEndpointId: id, url: origin, failingSince, disabledAt: at.toISOString() }
  await emit(tx, [{ organizationId, event: DISABLED_EVENT, objectType: 'webhook', objectId: id, data, at }])
  return true
}
