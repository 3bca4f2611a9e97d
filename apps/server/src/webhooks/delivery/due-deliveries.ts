import { sql } from 'kysely'
import { type Database, runPrepared } from '../../database/index.ts'

/** A delivery that is due. */
export interface DueDelivery {
  readonly id: number
  readonly eventId: number
  readonly objectType: string
  readonly objectId: number
  /** Failed attempts since it was queued or replayed. */
  readonly tries: number
  readonly dueAt: Date
  readonly body: string
  /** The sealed personal fields of the body. */
  readonly personal: Buffer | null
  readonly event: string
  /** Current URL and secrets; both may change while the webhook is being served. */
  readonly url: string
  readonly secret: Buffer
  readonly previousSecret: Buffer | null
  readonly previousSecretUntil: Date | null
  /** Still older ones that sign too, newest first. */
  readonly oldSecrets: readonly Buffer[]
}

/**
 * The due deliveries of a webhook, oldest first, without those in `taken`. Empty if the webhook was disabled or deleted,
 * or if another process has leased it.
 */
export async function dueDeliveries(
  db: Database,
  { organizationId, webhookId, lease }: { organizationId: number; webhookId: number; lease: string },
  { at, taken, limit }: { at: Date; taken: readonly number[]; limit: number },
): Promise<DueDelivery[]> {
  return await runPrepared(
    db,
    'due deliveries',
    sql<DueDelivery>`
      select d.id, d.event_id as "eventId", d.object_type as "objectType", d.object_id as "objectId", d.attempt_count as tries, d.next_attempt_at as "dueAt", o.body, o.personal, o.event,
        w.url, w.secret, w.previous_secret as "previousSecret", w.previous_secret_until as "previousSecretUntil", s.old_secrets as "oldSecrets"
      from webhooks w
      cross join lateral (
        select coalesce(array_agg(secret order by id desc), '{}') as old_secrets from webhook_old_secrets
        where organization_id = w.organization_id and webhook_id = w.id and valid_until > ${at}
      ) s
      join webhook_deliveries d on d.organization_id = w.organization_id and d.webhook_id = w.id
      join outbox o on o.organization_id = d.organization_id and o.id = d.event_id
      where w.organization_id = ${organizationId} and w.id = ${webhookId} and w.lease = ${lease}
        and w.disabled_at is null and w.deleted_at is null and d.status = 'pending' and d.next_attempt_at <= ${at} and d.id <> all(${taken}::bigint[])
      order by d.next_attempt_at, d.id
      limit ${limit}
    `,
  )
}
