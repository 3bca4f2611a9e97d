import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../database/index.ts'
import { PENDING_COUNTED_MAX } from '../kernel/index.ts'
import { IS_NOT_HELD } from './delivery/held-events.ts'

/** How long events and deliveries have waited, and which webhooks fail, for monitoring. */
export interface WebhookBacklog {
  /** Age of the oldest committed event that waits for no event that could not be published: near zero while a worker relays. */
  readonly eventSeconds: number
  /** Events that could not be published: they, and the later ones of their objects, wait. */
  readonly held: number
  /** How long the most overdue delivery to a healthy webhook has been due: near zero unless workers are behind. */
  readonly overdueSeconds: number
  /** Webhooks whose last attempt failed, and webhooks disabled because of failures. */
  readonly failing: number
  readonly disabled: number
}

/** Reads the webhooks, what is held, and the first entry of an index, so that it takes no longer with a long backlog. */
export async function webhookBacklog(db: Database, now: Date): Promise<WebhookBacklog> {
  const { rows } = await sql<
    Omit<WebhookBacklog, 'eventSeconds' | 'overdueSeconds'> & { waitsSince: Date | null; dueSince: Date | null }
  >`
    with served as (
      select w.* from webhooks w join organizations o on o.id = w.organization_id
      where w.deleted_at is null and o.deleted_at is null
    )
    select (select o.created_at from outbox o where o.relayed_at is null and ${IS_NOT_HELD} order by o.id limit 1)
        as "waitsSince",
      (select count(*) from held_events) as held,
      min(due_at) filter (where failures = 0 and disabled_at is null
        and (leased_until is null or leased_until <= ${now})) as "dueSince",
      count(*) filter (where failures > 0 and disabled_at is null) as failing,
      count(*) filter (where disable_reason = 'failing') as disabled
    from served
  `.execute(db)
  const { waitsSince, dueSince, ...counts } = rows[0]!
  const secondsSince = (time: Date | null) => (time && time < now ? (now.getTime() - time.getTime()) / 1_000 : 0)
  return { ...counts, eventSeconds: secondsSince(waitsSince), overdueSeconds: secondsSince(dueSince) }
}

/** Committed events that are not yet relayed; at most {@link PENDING_COUNTED_MAX} of them are counted. */
export const countWaitingEvents = (db: Database): Promise<number> =>
  countSome(db, sql`select from outbox where relayed_at is null`)

/** Deliveries with another attempt; at most {@link PENDING_COUNTED_MAX} of them are counted. */
export const countPendingDeliveries = (db: Database): Promise<number> =>
  countSome(db, sql`select from webhook_deliveries where status = 'pending'`)

async function countSome(db: Database, found: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (${found} limit ${PENDING_COUNTED_MAX}) pending
  `.execute(db)
  return rows[0]!.count
}
