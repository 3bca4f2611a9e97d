import { type RawBuilder, sql } from 'kysely'
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

interface LeasedWebhook {
  readonly organizationId: number
  readonly webhookId: number
  readonly lease: string
}

interface DueRead {
  readonly at: Date
  /** Ids of deliveries to leave out. */
  readonly taken: readonly number[]
  readonly limit: number
}

/**
 * The due deliveries of a webhook, oldest first, without those in `taken`. Empty if the webhook was disabled, if it
 * or its organization was deleted, or if another process has leased it.
 */
export async function dueDeliveries(db: Database, webhook: LeasedWebhook, read: DueRead): Promise<DueDelivery[]> {
  return await runPrepared(db, 'due deliveries', dueQuery(webhook, read, OLDEST_FIRST))
}

/**
 * The same, of those that have failed before, the one with the most attempts first: a probe takes it, so that deliveries
 * run out of attempts however many new ones arrive.
 */
export async function triedDeliveries(db: Database, webhook: LeasedWebhook, read: DueRead): Promise<DueDelivery[]> {
  return await runPrepared(db, 'tried deliveries', dueQuery(webhook, read, MOST_TRIED_FIRST))
}

const OLDEST_FIRST = sql`order by d.next_attempt_at, d.id`
const MOST_TRIED_FIRST = sql`and d.attempt_count > 0 order by d.attempt_count desc, d.next_attempt_at, d.id`

function dueQuery(
  { organizationId, webhookId, lease }: LeasedWebhook,
  { at, taken, limit }: DueRead,
  order: RawBuilder<unknown>,
): RawBuilder<DueDelivery> {
  return sql<DueDelivery>`
    select d.id, d.event_id as "eventId", d.object_type as "objectType", d.object_id as "objectId", d.attempt_count as tries, d.next_attempt_at as "dueAt", o.body, o.personal, o.event,
      w.url, w.secret, w.previous_secret as "previousSecret", w.previous_secret_until as "previousSecretUntil", s.old_secrets as "oldSecrets"
    from webhooks w
    join organizations g on g.id = w.organization_id
    cross join lateral (
      select coalesce(array_agg(secret order by id desc), '{}') as old_secrets from webhook_old_secrets
      where organization_id = w.organization_id and webhook_id = w.id and valid_until > ${at}
    ) s
    join webhook_deliveries d on d.organization_id = w.organization_id and d.webhook_id = w.id
    join outbox o on o.organization_id = d.organization_id and o.id = d.event_id
    where w.organization_id = ${organizationId} and w.id = ${webhookId} and w.lease = ${lease}
      and w.disabled_at is null and w.deleted_at is null and g.deleted_at is null and d.status = 'pending' and d.next_attempt_at <= ${at} and d.id <> all(${taken}::bigint[])
    ${order}
    limit ${limit}
  `
}
