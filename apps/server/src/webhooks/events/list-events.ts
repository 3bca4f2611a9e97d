import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../database/index.ts'
import type { Scope } from '../../identity/index.ts'
import { type Log, MissingKeyError, outageLogsBy, type Sealer } from '../../kernel/index.ts'
import { RAMP_OBJECT_TYPES } from './event-names.ts'
import { bodyWithPersonalFields } from './personal-fields.ts'

/** Whose events are read. */
export interface EventScope extends Scope {
  /** Without those of ramp, for a credential that may not read payments either. */
  readonly withoutRamp?: true
}

/** A published event: the webhook body and the event id. */
export interface PublishedEvent {
  readonly id: number
  readonly event: string
  readonly timestamp: string
  readonly data: Record<string, unknown>
}

/** A page of events, oldest first. */
export interface EventPage {
  readonly events: readonly PublishedEvent[]
  /** Where to continue: the id of the last event, or else of the event resolved from `after`. Null before the first event. */
  readonly cursor: number | null
  readonly hasMore: boolean
  /** Events after `after` were deleted because of their age. */
  readonly isMissing: boolean
}

/** Reads events, and opens their personal fields. */
export interface EventReader {
  readonly db: Database
  readonly events: Sealer
  readonly log: Pick<Log, 'error' | 'info' | 'warn'>
}

/** An event as it is stored; its personal fields are sealed. */
export interface ReadableEvent {
  readonly id: number
  readonly body: string
  readonly personal: Buffer | null
  readonly event: string
  readonly objectType: string
  readonly objectId: number
}

interface EventRow extends Omit<ReadableEvent, 'id'> {
  readonly counted: number | null
  /** The newest deleted event, if it is after `after`. */
  readonly missing: number | null
  readonly id: number | null
}

/**
 * Events within a scope, ordered by position, so that events that commit late are not skipped (contract 12). Returns
 * events after the event with id `after`. If that event is out of scope, or does not exist yet (after a restored backup),
 * the one before it counts. Without `after`, or if that event was deleted because of its age, the list begins with the
 * oldest stored event: one with a lower id may have a later position. If events after `after` were deleted, the page says
 * so, once.
 *
 * A profile-scoped key sees the events of its profile's wallets and all ramp events, which belong to the organization
 * (contract 1 and 11); every other credential sees all events. A key whose permissions lack `ramp` sees none of ramp, nor does a service
 * account.
 */
export async function listEvents(
  reader: EventReader,
  scope: EventScope,
  { after, limit }: { readonly after: number | null; readonly limit: number },
): Promise<EventPage> {
  // One statement, so that events relayed meanwhile cannot separate the resolved event from its page.
  const { rows } = await sql<EventRow>`
    with place as (
      select id, position from outbox where organization_id = ${scope.organizationId} and id <= ${after}::bigint
        and position is not null order by id desc limit 1),
    deleted as (
      select last_event_id from deleted_events where organization_id = ${scope.organizationId} and ${after}::bigint > 0
        and last_event_id >= ${after}::bigint and not exists (select from place where id = ${after}::bigint))
    select place.id as counted, page.*,
      case when deleted.last_event_id > ${after}::bigint then deleted.last_event_id end as missing
    from (values (1)) one
    left join deleted on true
    left join place on deleted.last_event_id is null
    left join lateral (
      select id, body, position, personal, event, object_type as "objectType", object_id as "objectId" from outbox
      where organization_id = ${scope.organizationId} and position > coalesce(place.position, 0) and ${isVisible(scope)}
      order by position limit ${limit + 1}
    ) page on true
    order by page.position
  `.execute(reader.db)
  const page = rows.filter((row): row is typeof row & { id: number } => row.id !== null)
  const events = page.slice(0, limit).map((row) => eventOf(reader, scope, row))
  const missing = rows[0]?.missing ?? null
  return {
    events,
    cursor: events.at(-1)?.id ?? rows[0]?.counted ?? missing ?? after,
    hasMore: page.length > limit,
    isMissing: missing !== null,
  }
}

/**
 * Events within a scope, newest first: those before the event with id `before`, or the newest for 0. Nothing is
 * before an event that was deleted because of its age; of another one that is not stored, the one before it counts. The cursor is the `before` of the next page.
 */
export async function listEventsBefore(
  reader: EventReader,
  scope: EventScope,
  { before, limit }: { readonly before: number; readonly limit: number },
): Promise<EventPage> {
  const { rows } = await sql<ReadableEvent>`
    select id, body, personal, event, object_type as "objectType", object_id as "objectId" from outbox
    where organization_id = ${scope.organizationId} and position is not null and ${isVisible(scope)}
      and (${before}::bigint = 0 or position < (
        select place.position from (
          select id, position from outbox where organization_id = ${scope.organizationId} and id <= ${before}::bigint
            and position is not null order by id desc limit 1) place
        where place.id = ${before}::bigint or not exists (
          select from deleted_events
          where organization_id = ${scope.organizationId} and last_event_id >= ${before}::bigint)))
    order by position desc limit ${limit + 1}
  `.execute(reader.db)
  const events = rows.slice(0, limit).map((row) => eventOf(reader, scope, row))
  return { events, cursor: events.at(-1)?.id ?? before, hasMore: rows.length > limit, isMissing: false }
}

/**
 * An event with its personal fields; null is in their place if they are damaged, as after an erasure, so that one damaged
 * event does not take away its page. Throws {@link MissingKeyError} if only this process cannot open them: a
 * reader that continued after a null would never read them.
 */
export function eventOf(reader: EventReader, { organizationId }: Scope, { id, ...row }: ReadableEvent): PublishedEvent {
  return { id, ...(JSON.parse(readableBody(reader, { ...row, organizationId })) as Omit<PublishedEvent, 'id'>) }
}

/** What is damaged stays so, however often it is read. */
const damagedOf = outageLogsBy({ away: 'failed to decrypt the personal fields of an event', level: 'error' })

function readableBody({ events, log }: EventReader, row: Parameters<typeof bodyWithPersonalFields>[1]): string {
  try {
    return bodyWithPersonalFields(events, row)
  } catch (error) {
    if (error instanceof MissingKeyError) throw error
    const { organizationId, event, objectType, objectId } = row
    damagedOf(log, log).failed({ organizationId, event, objectType, objectId }, { err: error })
    return row.body
  }
}

/** The id of the newest event within the scope, where a new stream starts; null if there is none. */
export async function newestEvent(db: Database, scope: EventScope): Promise<number | null> {
  const { rows } = await sql<{ id: number }>`
    select id from outbox
    where organization_id = ${scope.organizationId} and position is not null and ${isVisible(scope)}
    order by position desc limit 1
  `.execute(db)
  return rows[0]?.id ?? null
}

/** Whether a row of the outbox is within the scope. */
export function isVisible({ walletProfileId, withoutRamp }: EventScope): RawBuilder<boolean> {
  const isRamp = sql`object_type = any(${[...RAMP_OBJECT_TYPES]}::text[])`
  const isOfRamp = withoutRamp ? sql<boolean>`false` : sql<boolean>`${isRamp}`
  if (walletProfileId !== null) return sql`(wallet_profile_id = ${walletProfileId} or ${isOfRamp})`
  return withoutRamp ? sql`not ${isRamp}` : sql`true`
}
