import { emit, inTransaction } from '../../database/index.ts'
import { addMilliseconds, WEBHOOK_DISABLE_AFTER_MS, WEBHOOK_DISABLE_BATCH } from '../../kernel/index.ts'
import { DISABLED_EVENT } from '../events/event-names.ts'
import { failPendingDeliveries } from '../lifecycle/advance-deliveries.ts'
import type { WebhookParts } from '../parts.ts'

/**
 * Disables failing webhooks without a success in three days and emits `webhook.disabled` to the organization's other
 * webhooks (contract 12). Returns how many were disabled.
 */
export async function disableFailingWebhooks({ db, clock }: Pick<WebhookParts, 'db' | 'clock'>): Promise<number> {
  return await inTransaction(db, async (tx) => {
    const at = clock.now()
    const rows = await tx
      .selectFrom('webhooks')
      .select(['organization_id', 'id', 'url', 'failing_since'])
      .where('failing_at', 'is not', null)
      .where('disabled_at', 'is', null)
      .where('deleted_at', 'is', null)
      .where('failing_since', '<=', addMilliseconds(at, -WEBHOOK_DISABLE_AFTER_MS))
      .orderBy('id')
      .limit(WEBHOOK_DISABLE_BATCH)
      .forUpdate()
      .skipLocked()
      .execute()
    for (const { organization_id: organizationId, id } of rows) {
      await tx
        .updateTable('webhooks')
        .set({ disabled_at: at, disable_reason: 'failing', due_at: null, updated_at: at })
        .where('organization_id', '=', organizationId)
        .where('id', '=', id)
        .execute()
      await failPendingDeliveries(tx, { organizationId, webhookId: id })
    }
    await emit(
      tx,
      rows.map((row) => ({
        organizationId: row.organization_id,
        event: DISABLED_EVENT,
        objectType: 'webhook',
        objectId: row.id,
        data: {
          webhookEndpointId: row.id,
          url: row.url,
          failingSince: row.failing_since?.toISOString() ?? null,
          disabledAt: at.toISOString(),
        },
        at,
      })),
    )
    return rows.length
  })
}
