import { sql } from 'kysely'
import { type Database, runPrepared } from '../../database/index.ts'

/** A delivery that may be attempted now. */
export interface DueDelivery {
  readonly id: number
  readonly eventId: number
  readonly objectType: string
  readonly objectId: number
  readonly tries: number
  readonly body: string
  /** Where it goes, and what signs it, as of now: both may change while the webhook is served. */
  readonly url: string
  readonly secret: Buffer
  readonly previousSecret: Buffer | null
  readonly previousSecretUntil: Date | null
}

/**
 * What a webhook has waiting, the oldest due first, without those that are in hand already; nothing once it was disabled
 * or deleted, or when another process serves it by now.
 */
export async function dueDeliveries(
  db: Database,
  { organizationId, webhookId, lease }: { organizationId: number; webhookId: number; lease: string },
  { at, inHand, limit }: { at: Date; inHand: readonly number[]; limit: number },
): Promise<DueDelivery[]> {
  return await runPrepared(
    db,
    'due deliveries',
    sql<DueDelivery>`
      select d.id, d.event_id as "eventId", d.object_type as "objectType", d.object_id as "objectId", d.attempt_count as tries, o.body,
        w.url, w.secret, w.previous_secret as "previousSecret", w.previous_secret_until as "previousSecretUntil"
      from webhooks w
      join webhook_deliveries d on d.organization_id = w.organization_id and d.webhook_id = w.id
      join outbox o on o.organization_id = d.organization_id and o.id = d.event_id
      where w.organization_id = ${organizationId} and w.id = ${webhookId} and w.lease = ${lease}
        and w.disabled_at is null and w.deleted_at is null and d.status = 'pending' and d.next_attempt_at <= ${at} and d.id <> all(${inHand}::bigint[])
      order by d.next_attempt_at, d.id
      limit ${limit}
    `,
  )
}
