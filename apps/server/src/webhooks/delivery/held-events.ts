import { type RawBuilder, sql } from 'kysely'
import { type Database, inTransaction, runPrepared, type Tx } from '../../database/index.ts'
import { addMilliseconds, EVENT_CLOCK_AHEAD_MS_MAX, EVENT_HOLD_MS, HELD_EVENTS_BATCH } from '../../kernel/index.ts'
import type { WebhookParts } from '../parts.ts'

/** An event by its organization and id. */
export interface EventKey {
  readonly organizationId: number
  readonly id: number
}

interface HeldKey extends EventKey {
  readonly objectType: string
  readonly objectId: number
}

/** A condition on a row `o` of the outbox: no earlier event of its object is held. */
export const FOLLOWS_NO_HELD_EVENT: RawBuilder<boolean> = sql<boolean>`not exists (
  select from held_events h
  where h.organization_id = o.organization_id and h.object_type = o.object_type and h.object_id = o.object_id
    and h.event_id < o.id)`

/** The same, and neither is the event itself. */
export const IS_NOT_HELD: RawBuilder<boolean> = sql<boolean>`not exists (
  select from held_events h
  where h.organization_id = o.organization_id and h.object_type = o.object_type and h.object_id = o.object_id
    and h.event_id <= o.id)`

/**
 * Holds an event that cannot be published, and with it the later ones of its object, whose order is promised. Logged the
 * first time, and when its cause changes; each failure doubles the time until the next attempt.
 */
export async function holdEvent(
  { db, clock, log }: Pick<WebhookParts, 'db' | 'clock' | 'log'>,
  { organizationId, id, objectType, objectId }: HeldKey,
  error: unknown,
): Promise<void> {
  const at = clock.now()
  const isNewCause = await inTransaction(db, async (tx) => {
    // One process relays at a time; another one may have published the event meanwhile.
    await tx.selectFrom('event_relay').select('id').forUpdate().execute()
    const held = await tx
      .selectFrom('outbox as o')
      .leftJoin('held_events as h', (join) =>
        join.onRef('h.organization_id', '=', 'o.organization_id').onRef('h.event_id', '=', 'o.id'),
      )
      .select(['h.attempts', 'h.error'])
      .where('o.organization_id', '=', organizationId)
      .where('o.id', '=', id)
      .where('o.relayed_at', 'is', null)
      .executeTakeFirst()
    if (!held) return false
    const before = held.attempts ?? 0
    const delay = Math.min(EVENT_HOLD_MS.first * 2 ** before, EVENT_HOLD_MS.max)
    const attempt = {
      attempts: before + 1,
      next_attempt_at: addMilliseconds(at, delay),
      error: error instanceof Error ? error.message : String(error),
    }
    const event = { organization_id: organizationId, event_id: id, object_type: objectType, object_id: objectId }
    await tx
      .insertInto('held_events')
      .values({ ...event, since: at, ...attempt })
      .onConflict((conflict) => conflict.columns(['organization_id', 'event_id']).doUpdateSet(attempt))
      .execute()
    return held.error !== attempt.error
  })
  if (isNewCause)
    log.error(
      { err: error, organizationId, eventId: id },
      'an event cannot be published: it waits, with the later events of its object',
    )
}

/** An event that is no longer held. */
export interface ReleasedEvent extends EventKey {
  /** How often it could not be published. */
  readonly failures: number
  readonly since: Date
}

/** Forgets that events were held; call it in the transaction that publishes them. */
export async function releaseEvents(tx: Tx, events: readonly EventKey[]): Promise<readonly ReleasedEvent[]> {
  if (events.length === 0) return []
  const { rows } = await sql<ReleasedEvent>`
    delete from held_events where (organization_id, event_id) in (select * from unnest(
      ${events.map(({ organizationId }) => organizationId)}::bigint[], ${events.map(({ id }) => id)}::bigint[]))
    returning organization_id as "organizationId", event_id as id, attempts as failures, since
  `.execute(tx)
  return rows
}

/** What there is to publish. */
interface Waiting {
  /** Whether there are events that nothing holds. */
  readonly hasNew: boolean
  /** Held events whose next attempt is due, the oldest first: those of one object in their order. None of `resting`. */
  readonly held: readonly number[]
  /** Whether the newest published event has a time that no right clock has reached. */
  readonly isAhead: boolean
}

/** Most rounds find nothing, and take no lock. `resting`: organizations whose events wait. */
export async function findWaitingEvents(db: Database, now: Date, resting: readonly number[]): Promise<Waiting> {
  const [waiting] = await runPrepared(
    db,
    'events to relay',
    sql<Waiting>`
      select exists (select from outbox o where relayed_at is null and ${IS_NOT_HELD}) as "hasNew",
        array(select event_id from held_events where next_attempt_at <= ${now}
            and organization_id <> all(${resting}::bigint[])
          order by event_id limit ${HELD_EVENTS_BATCH}) as held,
        exists (select from event_relay where last_at > ${addMilliseconds(now, EVENT_CLOCK_AHEAD_MS_MAX)}) as "isAhead"
    `,
  )
  return waiting!
}
