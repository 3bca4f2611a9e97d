import { type RawBuilder, sql } from 'kysely'
import { EVENT_ORDER_WINDOW_MS, EVENT_SEARCH_ROWS } from '../../kernel/index.ts'
import {
  type EventReader,
  type EventScope,
  eventOf,
  isVisible,
  type PublishedEvent,
  type ReadableEvent,
} from './list-events.ts'

/** Absent fields match every event. */
export interface EventFilter {
  readonly event?: string | undefined
  readonly operationId?: number | undefined
  readonly rampTransactionId?: number | undefined
  readonly walletId?: number | undefined
  /** Inclusive. */
  readonly from?: Date | undefined
  /** Exclusive. */
  readonly until?: Date | undefined
}

export interface FoundEvents {
  /** Newest first. */
  readonly events: readonly PublishedEvent[]
  /** The `before` of the next page. */
  readonly cursor: number
  readonly hasMore: boolean
  /** The time of the oldest event that was looked at; null if there was none. */
  readonly searchedTo: Date | null
}

interface Place {
  readonly id: number
  readonly created_at: Date
}

/**
 * Events within a scope that match, newest first: those before the event with id `before`, or the newest for 0. Events of
 * one object come from an index. Anything else is looked for among at most {@link EVENT_SEARCH_ROWS} events: the page may
 * then hold fewer than `limit`, even none, and `cursor` continues where it ended.
 */
export async function searchEvents(
  reader: EventReader,
  scope: EventScope,
  filter: EventFilter,
  { before, limit }: { readonly before: number; readonly limit: number },
): Promise<FoundEvents> {
  const { from, until } = filter
  const read = sql`
    select id, position, created_at, body, personal, event, object_type as "objectType", object_id as "objectId", data
    from outbox
    where organization_id = ${scope.organizationId} and position is not null and ${isVisible(scope)}
      and ${isAbout(filter)} and ${isBefore(scope, before)} and ${isUntil(scope, until)}
    order by position desc limit ${EVENT_SEARCH_ROWS}`
  const { rows } = await sql<ReadableEvent & Place>`
    select * from (${read}) searched where ${isMatch(filter)} order by position desc limit ${limit + 1}
  `.execute(reader.db)
  const events = rows.slice(0, limit).map((row) => eventOf(reader, scope, row))
  const last = rows[limit - 1]
  if (rows.length > limit && last)
    return { events, cursor: last.id, hasMore: true, searchedTo: new Date(last.created_at) }
  // How far was searched, without the bodies.
  const { rows: ends } = await sql<Place & { readonly searched: number }>`
    select id, created_at, count(*) over ()::int as searched from (${read}) searched order by position limit 1
  `.execute(reader.db)
  const end = ends[0]
  const isOver =
    from !== undefined && end !== undefined && end.created_at.getTime() < from.getTime() - EVENT_ORDER_WINDOW_MS
  return {
    events,
    cursor: end?.id ?? before,
    hasMore: !isOver && end?.searched === EVENT_SEARCH_ROWS,
    searchedTo: end?.created_at ?? null,
  }
}

/** For one object an index holds its events. */
function isAbout({ operationId, rampTransactionId }: EventFilter): RawBuilder<boolean> {
  if (operationId !== undefined && rampTransactionId !== undefined) return sql`false`
  if (operationId !== undefined) return sql`(object_type = 'operation' and object_id = ${operationId})`
  if (rampTransactionId !== undefined)
    return sql`(object_type = 'ramp_transaction' and object_id = ${rampTransactionId})`
  return sql`true`
}

function isMatch({ event, walletId, from, until }: EventFilter): RawBuilder<boolean> {
  const conditions = [sql`true`]
  if (event !== undefined) conditions.push(sql`event = ${event}`)
  if (walletId !== undefined) conditions.push(sql`data->>'walletId' = ${String(walletId)}`)
  if (from) conditions.push(sql`created_at >= ${from}`)
  if (until) conditions.push(sql`created_at < ${until}`)
  return sql`(${sql.join(conditions, sql` and `)})`
}

const isBefore = ({ organizationId }: EventScope, before: number): RawBuilder<boolean> =>
  before === 0
    ? sql`true`
    : sql`position < (select position from outbox where organization_id = ${organizationId} and id <= ${before}::bigint
        and position is not null order by id desc limit 1)`

/** Begins where the time ends, by an index: not at the newest event. Those around it are in the order of their commits. */
function isUntil({ organizationId }: EventScope, until: Date | undefined): RawBuilder<boolean> {
  if (!until) return sql`true`
  const around = new Date(until.getTime() + EVENT_ORDER_WINDOW_MS)
  const own = sql`organization_id = ${organizationId} and position is not null`
  return sql`position <= coalesce(
    (select max(position) from outbox where ${own} and created_at >= ${until} and created_at < ${around}),
    (select position from outbox where ${own} and created_at >= ${around} order by created_at limit 1),
    ${Number.MAX_SAFE_INTEGER}::bigint)`
}
