import { sql } from 'kysely'
import { inTransaction, type Tx } from '../database/index.ts'
import { checkEvents } from './check-events.ts'
import { checkUrl } from './guard/check-url.ts'
import type { Finish, WebhookParts } from './parts.ts'
import { type Named, webhookNotFound } from './read-webhooks.ts'
import { FRESH, WEBHOOK_COLUMNS, type Webhook, webhookFrom } from './webhook.ts'

export interface WebhookChanges {
  readonly url?: string | undefined
  readonly events?: readonly string[] | undefined
  readonly description?: string | null | undefined
  /** False: nothing is sent any more, and what was waiting has failed. True: it starts afresh. */
  readonly enabled?: boolean | undefined
}

/**
 * Changes what is given. Another URL is another receiver, so nothing is held against it: waiting deliveries go there.
 * Errors: NOT_FOUND, VALIDATION_ERROR at `url` or `events`.
 */
export async function changeWebhook(
  parts: Pick<WebhookParts, 'db' | 'clock' | 'rules'>,
  named: Named,
  changes: WebhookChanges,
  finish?: Finish<Webhook>,
): Promise<Webhook> {
  const url = changes.url === undefined ? undefined : checkUrl(parts.rules, changes.url)
  const events = changes.events === undefined ? undefined : checkEvents(changes.events)
  return await inTransaction(parts.db, async (tx) => {
    const at = parts.clock.now()
    const before = await tx
      .selectFrom('webhooks')
      .select(['url', 'disabled_at'])
      .where('organization_id', '=', named.organizationId)
      .where('id', '=', named.webhookId)
      .where('deleted_at', 'is', null)
      .forUpdate()
      .executeTakeFirst()
    if (!before) throw webhookNotFound()
    const enables = changes.enabled === true && before.disabled_at !== null
    const disables = changes.enabled === false && before.disabled_at === null
    const moves = url !== undefined && url !== before.url && before.disabled_at === null
    const row = await tx
      .updateTable('webhooks')
      .set({
        ...(url !== undefined && { url }),
        ...(events !== undefined && { events }),
        ...(changes.description !== undefined && { description: changes.description }),
        ...((enables || moves) && FRESH),
        ...(moves && !disables && { wake_at: at }),
        ...(disables && { disabled_at: at, disabled_because: 'asked' as const, wake_at: null }),
        updated_at: at,
      })
      .where('organization_id', '=', named.organizationId)
      .where('id', '=', named.webhookId)
      .returning(WEBHOOK_COLUMNS)
      .executeTakeFirstOrThrow()
    if (disables) await giveUpWaiting(tx, named)
    const changed = webhookFrom(row)
    await finish?.(tx, changed)
    return changed
  })
}

/** The webhook and its deliveries are known no more; nothing is sent any more. Error: NOT_FOUND. */
export async function deleteWebhook(
  parts: Pick<WebhookParts, 'db' | 'clock'>,
  named: Named,
  finish?: Finish<void>,
): Promise<void> {
  await inTransaction(parts.db, async (tx) => {
    const at = parts.clock.now()
    const row = await tx
      .updateTable('webhooks')
      .set({ deleted_at: at, updated_at: at, wake_at: null, secret: Buffer.alloc(0), previous_secret: null })
      .where('organization_id', '=', named.organizationId)
      .where('id', '=', named.webhookId)
      .where('deleted_at', 'is', null)
      .returning('id')
      .executeTakeFirst()
    if (!row) throw webhookNotFound()
    await giveUpWaiting(tx, named)
    await finish?.(tx)
  })
}

/** What waits for a webhook that gets nothing any more has failed; it can be replayed when that changes. */
export async function giveUpWaiting(tx: Tx, { organizationId, webhookId }: Named): Promise<void> {
  await sql`
    update webhook_deliveries set status = 'failed', next_attempt_at = null
    where organization_id = ${organizationId} and webhook_id = ${webhookId} and status = 'pending'
  `.execute(tx)
}
