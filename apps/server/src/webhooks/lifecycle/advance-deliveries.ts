import { type RawBuilder, sql } from 'kysely'
import type { Database, DeliveryStatus, StoredAttempt, Tx } from '../../database/index.ts'
import { WEBHOOK_ATTEMPTS_STORED_MAX } from '../../kernel/index.ts'
import { deliveryChange, QUEUED_STATUS } from './delivery-states.ts'

/** The only code that assigns the status of a delivery, by the table in `delivery-states.ts`. */

/** An event for one webhook. */
export interface NewDelivery {
  readonly organizationId: number
  readonly webhookId: number
  readonly eventId: number
  readonly event: string
  readonly objectType: string
  readonly objectId: number
}

/** Queues deliveries that are due `at`, in this order, in one statement. */
export async function insertDeliveries(tx: Tx, deliveries: readonly NewDelivery[], at: Date): Promise<void> {
  const rows = deliveries.map(({ organizationId, webhookId, eventId, event, objectType, objectId }) => ({
    organization_id: organizationId,
    webhook_id: webhookId,
    event_id: eventId,
    event,
    object_type: objectType,
    object_id: objectId,
  }))
  await sql`
    insert into webhook_deliveries (organization_id, webhook_id, event_id, event, object_type, object_id, status,
      next_attempt_at, created_at)
    select r.organization_id, r.webhook_id, r.event_id, r.event, r.object_type, r.object_id, ${sql.lit(QUEUED_STATUS)},
      ${at}, ${at}
    from jsonb_array_elements(${JSON.stringify(rows)}::jsonb) with ordinality as row(value, turn),
      jsonb_to_record(row.value) as r(organization_id bigint, webhook_id bigint, event_id bigint, event text,
        object_type text, object_id bigint)
    order by row.turn
  `.execute(tx)
}

/** What an attempt does to its delivery. */
export type AttemptOutcome =
  | { readonly event: 'succeeded' | 'attempts_exhausted' }
  | { readonly event: 'attempt_failed'; readonly retryAt: Date }

export interface AttemptRecord {
  readonly deliveryId: number
  /** The delivery as it was when the attempt began: a replay meanwhile changes one or both. */
  readonly began: { readonly tries: number; readonly dueAt: Date }
  readonly attempt: StoredAttempt
  readonly outcome: AttemptOutcome
}

/**
 * Stores attempts, and moves their deliveries, in one statement. The result of a process that was considered dead does not
 * overwrite a delivery that another process has completed: its attempt is stored, and the delivery stays as it is.
 *
 * A failure counts only where the delivery is still as the attempt found it: after a replay meanwhile, it is due at once
 * with a full set of attempts. A success completes it in any case, because its receiver has taken this message, and would
 * ignore the same `webhook-id` a second time. Returns the status that each delivery has now.
 */
export async function advanceAttempted(
  db: Database,
  attempts: readonly AttemptRecord[],
): Promise<ReadonlyMap<number, DeliveryStatus>> {
  const rows = attempts.map(({ deliveryId, began, attempt, outcome }) => {
    const { from, to } = deliveryChange(outcome.event)
    return {
      id: deliveryId,
      tries: began.tries,
      due_at: began.dueAt.toISOString(),
      attempt,
      before: from,
      is_success: outcome.event === 'succeeded',
      status: to,
      next_attempt_at: outcome.event === 'attempt_failed' ? outcome.retryAt.toISOString() : null,
    }
  })
  const { rows: moved } = await sql<{ id: number; status: DeliveryStatus }>`
    update webhook_deliveries d set
      attempts = case when jsonb_array_length(d.attempts) < ${WEBHOOK_ATTEMPTS_STORED_MAX}::int
        then d.attempts else d.attempts - 0 end || r.attempt,
      attempt_count = case when ${COUNTS} then d.attempt_count + 1 else d.attempt_count end,
      status = case when ${COUNTS} then r.status else d.status end,
      next_attempt_at = case when ${COUNTS} then r.next_attempt_at else d.next_attempt_at end
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r(id bigint, tries int, due_at timestamptz,
      attempt jsonb, before jsonb, is_success boolean, status text, next_attempt_at timestamptz)
    where d.id = r.id
    returning d.id, d.status
  `.execute(db)
  return new Map(moved.map(({ id, status }) => [id, status]))
}

/** Whether an attempt \`r\` moves its delivery \`d\`. In the update itself, so that it sees what committed meanwhile. */
const COUNTS: RawBuilder<boolean> = sql`(r.before ? d.status and (r.is_success
  or (d.attempt_count = r.tries and date_trunc('milliseconds', d.next_attempt_at) = r.due_at)))`

/** Makes a delivery due `at`, because this process could not make its attempt; no attempt counts. */
export async function deferDelivery(
  db: Database,
  { organizationId, deliveryId }: { readonly organizationId: number; readonly deliveryId: number },
  at: Date,
): Promise<void> {
  const { from, to } = deliveryChange('deferred')
  await db
    .updateTable('webhook_deliveries')
    .set({ status: to, next_attempt_at: at })
    .where('organization_id', '=', organizationId)
    .where('id', '=', deliveryId)
    .where('status', 'in', from)
    .execute()
}

/** Makes the untried deliveries of these webhooks that lie ahead due `at`. The caller holds the webhooks' row locks. */
export async function reschedule(
  tx: Tx,
  webhooks: readonly { readonly organizationId: number; readonly webhookId: number }[],
  at: Date,
): Promise<void> {
  const organizations = webhooks.map(({ organizationId }) => organizationId)
  const ids = webhooks.map(({ webhookId }) => webhookId)
  await sql`
    update webhook_deliveries set next_attempt_at = ${at}
    where (organization_id, webhook_id) in (select * from unnest(${organizations}::bigint[], ${ids}::bigint[]))
      and status = ${sql.lit(QUEUED_STATUS)} and attempt_count = 0 and next_attempt_at > ${at}
  `.execute(tx)
}

/** Makes a delivery due `at`, with a full set of attempts. Returns its row, or `undefined` if there is none. */
export async function replayStored(
  tx: Tx,
  { organizationId, deliveryId }: { readonly organizationId: number; readonly deliveryId: number },
  at: Date,
) {
  const { from, to } = deliveryChange('replayed')
  return await tx
    .updateTable('webhook_deliveries')
    .set({ status: to, attempt_count: 0, next_attempt_at: at })
    .where('organization_id', '=', organizationId)
    .where('id', '=', deliveryId)
    .where('status', 'in', from)
    .returningAll()
    .executeTakeFirst()
}

/**
 * Fails pending deliveries of a webhook that no longer receives events, at most `limit`; they can be replayed later.
 * Returns how many. The caller holds the webhook's row lock.
 */
export async function failPendingDeliveries(
  tx: Tx,
  { organizationId, webhookId }: { readonly organizationId: number; readonly webhookId: number },
  limit: number,
): Promise<number> {
  const { from, to } = deliveryChange('webhook_stopped')
  // Literals: the index of pending deliveries is partial, by status.
  const statuses = sql.join(from.map((status) => sql.lit<DeliveryStatus>(status)))
  const { numAffectedRows } = await sql`
    with batch as materialized (
      select id from webhook_deliveries
      where organization_id = ${organizationId} and webhook_id = ${webhookId} and status in (${statuses})
      order by next_attempt_at, id limit ${limit} for no key update
    )
    update webhook_deliveries d set status = ${to}, next_attempt_at = null from batch
    where d.organization_id = ${organizationId} and d.webhook_id = ${webhookId} and d.id = batch.id
  `.execute(tx)
  return Number(numAffectedRows ?? 0)
}
