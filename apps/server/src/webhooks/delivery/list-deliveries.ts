import { sql } from 'kysely'
import type { Database, DeliveryStatus } from '../../database/index.ts'
import { getWebhook, type WebhookRef } from '../endpoints/read-webhooks.ts'
import { deliveryChange } from '../lifecycle/delivery-states.ts'
import { DELIVERY_COLUMNS, type Delivery, deliveryFrom } from './delivery.ts'

const DELIVERY_STATUSES: readonly DeliveryStatus[] = ['pending', 'delivered', 'failed']

interface DeliveryFilter {
  readonly status?: DeliveryStatus | undefined
  readonly operationId?: number | undefined
  readonly rampTransactionId?: number | undefined
}

/**
 * A page of a webhook's deliveries, newest first, with the total. What is still pending of a disabled webhook is shown as
 * failed, which `fail-stopped-deliveries.ts` makes of it. Error: NOT_FOUND.
 */
export async function listDeliveries(
  db: Database,
  named: WebhookRef,
  page: DeliveryFilter & { readonly limit: number; readonly offset: number },
): Promise<{ deliveries: Delivery[]; total: number }> {
  const { status: webhookStatus } = await getWebhook(db, named)
  const stop = webhookStatus === 'disabled' ? deliveryChange('webhook_stopped') : undefined
  const shown = (status: DeliveryStatus) => (stop?.from.includes(status) ? stop.to : status)
  let all = db
    .selectFrom('webhook_deliveries')
    .where('organization_id', '=', named.organizationId)
    .where('webhook_id', '=', named.webhookId)
  if (page.status !== undefined) {
    const statuses = DELIVERY_STATUSES.filter((status) => shown(status) === page.status)
    all = all.where('status', '=', sql<DeliveryStatus>`any(${statuses}::text[])`)
  }
  for (const [type, id] of [
    ['operation', page.operationId],
    ['ramp_transaction', page.rampTransactionId],
  ] as const)
    if (id !== undefined) all = all.where('object_type', '=', type).where('object_id', '=', id)
  const rows = await all.select(DELIVERY_COLUMNS).orderBy('id', 'desc').limit(page.limit).offset(page.offset).execute()
  const { total } = await all.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  return { deliveries: rows.map((row) => deliveryFrom({ ...row, status: shown(row.status) })), total }
}
