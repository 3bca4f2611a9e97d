import { type Transact, transactOn } from '../../database/index.ts'
import { Failure } from '../../kernel/index.ts'
import { replayStored } from '../lifecycle/advance-deliveries.ts'
import type { WebhookParts } from '../parts.ts'
import { type Delivery, deliveryFrom } from './delivery.ts'
import { wakeWebhooks } from './wake-webhooks.ts'

const MISSING = 'The delivery does not exist, or was deleted because of its age.'

/**
 * Makes a delivery due again now, whatever its status, with a full set of attempts. Its `webhook-id` stays the same. An
 * attempt that is under way ends first: its success completes the delivery, its failure does not count.
 * Errors: NOT_FOUND; CONFLICT if its webhook is disabled.
 */
export async function replayDelivery(
  parts: Pick<WebhookParts, 'db' | 'clock'>,
  { organizationId, deliveryId }: { readonly organizationId: number; readonly deliveryId: number },
  transact: Transact<Delivery> = transactOn(parts.db),
): Promise<Delivery> {
  return await transact(async (tx) => {
    const at = parts.clock.now()
    const webhook = await tx
      .selectFrom('webhooks')
      .select(['id', 'disabled_at'])
      .where('organization_id', '=', organizationId)
      .where('deleted_at', 'is', null)
      .where('id', '=', (from) =>
        from
          .selectFrom('webhook_deliveries')
          .select('webhook_id')
          .where('organization_id', '=', organizationId)
          .where('id', '=', deliveryId),
      )
      // Locked before the delivery, as everywhere, so that a worker cannot release the webhook in between.
      .forUpdate()
      .executeTakeFirst()
    if (!webhook) throw new Failure('NOT_FOUND', { message: MISSING })
    if (webhook.disabled_at) throw new Failure('CONFLICT', { message: 'The webhook is disabled. Enable it first.' })
    const row = await replayStored(tx, { organizationId, deliveryId }, at)
    if (!row) throw new Failure('NOT_FOUND', { message: MISSING })
    await wakeWebhooks(tx, [{ organizationId, webhookId: webhook.id }], at)
    return deliveryFrom(row)
  })
}
