import { type Transact, transactOn } from '../../database/index.ts'
import { checkUrl } from '../guard/check-url.ts'
import type { WebhookParts } from '../parts.ts'
import { checkEventFilter } from './check-event-filter.ts'
import { failBeforeEnabling } from './fail-stopped-deliveries.ts'
import { type WebhookRef, webhookNotFound } from './read-webhooks.ts'
import { deleteOldSecrets } from './rotate-secret.ts'
import { RESET_HEALTH, WEBHOOK_COLUMNS, type Webhook, webhookFrom } from './webhook.ts'

export interface WebhookUpdate {
  readonly url?: string | undefined
  readonly events?: readonly string[] | undefined
  readonly description?: string | null | undefined
  /** False: stops sending and fails pending deliveries. True: starts again with a clean health, and without those. */
  readonly enabled?: boolean | undefined
}

/**
 * Changes the given fields. A new URL is a new endpoint: its health is reset, and pending deliveries go there. Errors:
 * NOT_FOUND, VALIDATION_ERROR at `url` or `events`; CONFLICT with `reason: still_stopping` when it is enabled while many
 * deliveries, pending when it was disabled, are still being failed.
 */
export async function updateWebhook(
  parts: Pick<WebhookParts, 'db' | 'clock' | 'rules'>,
  named: WebhookRef,
  changes: WebhookUpdate,
  transact: Transact<Webhook> = transactOn(parts.db),
): Promise<Webhook> {
  const url = changes.url === undefined ? undefined : checkUrl(parts.rules, changes.url)
  const events = changes.events === undefined ? undefined : checkEventFilter(changes.events)
  return await transact(async (tx) => {
    const at = parts.clock.now()
    const before = await tx
      .selectFrom('webhooks')
      .select(['url', 'disabled_at', 'stopped_at'])
      .where('organization_id', '=', named.organizationId)
      .where('id', '=', named.webhookId)
      .where('deleted_at', 'is', null)
      .forUpdate()
      .executeTakeFirst()
    if (!before) throw webhookNotFound()
    const enables = changes.enabled === true && before.disabled_at !== null
    const disables = changes.enabled === false && before.disabled_at === null
    const moves = url !== undefined && url !== before.url && before.disabled_at === null
    if (enables && before.stopped_at !== null) await failBeforeEnabling(tx, named)
    const row = await tx
      .updateTable('webhooks')
      .set({
        ...(url !== undefined && { url }),
        ...(events !== undefined && { events }),
        ...(changes.description !== undefined && { description: changes.description }),
        ...((enables || moves) && RESET_HEALTH),
        ...(moves && !disables && { due_at: at }),
        ...(enables && { stopped_at: null }),
        ...(disables && { disabled_at: at, disable_reason: 'asked' as const, due_at: null, stopped_at: at }),
        updated_at: at,
      })
      .where('organization_id', '=', named.organizationId)
      .where('id', '=', named.webhookId)
      .returning(WEBHOOK_COLUMNS)
      .executeTakeFirstOrThrow()
    return webhookFrom(row)
  })
}

/** Deletes a webhook and stops its deliveries. Error: NOT_FOUND. */
export async function deleteWebhook(
  parts: Pick<WebhookParts, 'db' | 'clock'>,
  named: WebhookRef,
  transact: Transact<void> = transactOn(parts.db),
): Promise<void> {
  await transact(async (tx) => {
    const at = parts.clock.now()
    const row = await tx
      .updateTable('webhooks')
      .set({
        deleted_at: at,
        updated_at: at,
        due_at: null,
        stopped_at: at,
        secret: Buffer.alloc(0),
        previous_secret: null,
      })
      .where('organization_id', '=', named.organizationId)
      .where('id', '=', named.webhookId)
      .where('deleted_at', 'is', null)
      .returning('id')
      .executeTakeFirst()
    if (!row) throw webhookNotFound()
    await deleteOldSecrets(tx, named)
  })
}
