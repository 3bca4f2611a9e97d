import { type Selectable, sql } from 'kysely'
import {
  type Database,
  type DeliveryStatus,
  type Schema,
  type StoredAttempt,
  type Transact,
  type Tx,
  transactOn,
} from '../../database/index.ts'
import { Failure } from '../../kernel/index.ts'
import { getWebhook, type WebhookRef } from '../endpoints/read-webhooks.ts'
import { messageIdOf } from '../events/event-names.ts'
import { replayStored } from '../lifecycle/advance-deliveries.ts'
import { deliveryChange } from '../lifecycle/delivery-states.ts'
import type { WebhookParts } from '../parts.ts'

/** The fields that a delivery has in every status. */
interface DeliveryFields {
  readonly id: number
  readonly eventId: number
  /** The `webhook-id` header. */
  readonly messageId: string
  readonly event: string
  /** Oldest first. */
  readonly attempts: readonly StoredAttempt[]
  readonly createdAt: Date
}

/** The delivery of one event to one webhook (contract 12). Only a pending one has another attempt. */
export type Delivery = DeliveryFields &
  (
    | { readonly status: 'pending'; readonly nextAttemptAt: Date }
    | { readonly status: Exclude<DeliveryStatus, 'pending'> }
  )

const MISSING = 'The delivery does not exist, or was deleted because of its age.'

const DELIVERY_STATUSES: readonly DeliveryStatus[] = ['pending', 'delivered', 'failed']

const COLUMNS = ['id', 'event_id', 'event', 'status', 'attempts', 'next_attempt_at', 'created_at'] as const

function deliveryFrom(row: Pick<Selectable<Schema['webhook_deliveries']>, (typeof COLUMNS)[number]>): Delivery {
  const { status } = row
  const fields = {
    id: row.id,
    eventId: row.event_id,
    messageId: messageIdOf(row.event_id),
    event: row.event,
    attempts: row.attempts,
    createdAt: row.created_at,
  }
  return status === 'pending' ? { ...fields, status, nextAttemptAt: row.next_attempt_at! } : { ...fields, status }
}

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
  const rows = await all.select(COLUMNS).orderBy('id', 'desc').limit(page.limit).offset(page.offset).execute()
  const { total } = await all.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  return { deliveries: rows.map((row) => deliveryFrom({ ...row, status: shown(row.status) })), total }
}

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

/** Makes these webhooks due, after any pause of their endpoints. The caller holds the row locks. */
export async function wakeWebhooks(
  tx: Tx,
  webhooks: readonly { readonly organizationId: number; readonly webhookId: number }[],
  at: Date,
): Promise<void> {
  if (webhooks.length === 0) return
  const organizations = webhooks.map(({ organizationId }) => organizationId)
  const ids = webhooks.map(({ webhookId }) => webhookId)
  await sql`
    update webhooks set due_at = greatest(${at}, paused_until)
    where (organization_id, id) in (select * from unnest(${organizations}::bigint[], ${ids}::bigint[]))
      and (due_at is null or due_at > greatest(${at}, paused_until))
  `.execute(tx)
}
