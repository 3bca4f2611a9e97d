import { sql } from 'kysely'
import type { OutboxEvent, Tx } from '../../database/index.ts'
import { EVENT_RELAY_BATCH, EVENT_RELAY_DELIVERIES_MAX } from '../../kernel/index.ts'
import { FOLLOWS_NO_HELD_EVENT, IS_NOT_HELD } from './held-events.ts'

/** A committed event without a position. */
export interface UnrelayedEvent extends OutboxEvent {
  readonly event: string
  readonly objectType: string
  readonly objectId: number
  readonly createdAt: Date
  /** It could not be published before. */
  readonly isHeld: boolean
}

/** An event, and how many webhooks could receive it. */
interface UnrelayedCandidate extends UnrelayedEvent {
  readonly webhooks: number
}

const COLUMNS = sql`o.id, o.organization_id as "organizationId", o.event, o.object_type as "objectType",
  o.object_id as "objectId", o.data, o.created_at as "createdAt"`

/**
 * The next events that nothing holds, as many as one transaction may publish: counted with their deliveries, at least
 * one. Each organization with any gets its share, except those in `without`, so that one with a million events, or with
 * a hundred webhooks, delays no other. Those of one organization are in the order in which they were written. Looks up
 * two rows for each organization that waits.
 */
export async function readNextEvents(
  tx: Tx,
  without: readonly number[],
): Promise<{ readonly events: readonly UnrelayedEvent[]; readonly isMore: boolean }> {
  const { rows } = await sql<UnrelayedCandidate & { readonly share: number }>`
    with recursive behind(organization_id) as (
      (select organization_id from outbox where relayed_at is null order by organization_id limit 1)
      union all
      select next.organization_id from behind cross join lateral (
        select organization_id from outbox
        where organization_id > behind.organization_id and relayed_at is null
        order by organization_id limit 1) next
    ), waiting as materialized (
      select behind.organization_id, (
        select count(*) from webhooks w
        where w.organization_id = behind.organization_id and w.disabled_at is null and w.deleted_at is null) as webhooks
      from behind cross join lateral (
        select o.id from outbox o
        where ${isOf('behind')} and o.relayed_at is null and ${IS_NOT_HELD}
        order by o.organization_id, o.id limit 1) first
      where behind.organization_id <> all(${without}::bigint[])
      order by first.id limit ${EVENT_RELAY_BATCH}
    ), fair as (select ${EVENT_RELAY_BATCH}::int / greatest(count(*), 1) as share from waiting)
    select found.*, waiting.webhooks, fair.share from fair cross join waiting cross join lateral (
      select ${COLUMNS}, false as "isHeld" from outbox o
      where ${isOf('waiting')} and o.relayed_at is null and ${IS_NOT_HELD}
      order by o.organization_id, o.id limit fair.share) found
    order by found.id
  `.execute(tx)
  const events = takeFairShare(rows)
  return { events, isMore: events.length < rows.length || isAnyShareFull(rows) }
}

/**
 * An equality with which an order by organization and id stays one: for an order by id alone, the planner reads the events
 * of all organizations in that order, past the million of another one.
 */
const isOf = (table: 'behind' | 'waiting') =>
  sql`o.organization_id between ${sql.ref(`${table}.organization_id`)} and ${sql.ref(`${table}.organization_id`)}`

/**
 * Of these events as many as one transaction may write, with their deliveries: first those before and with which their
 * organization has the fewest rows. So organizations share the transaction by what they write, not by events. Both are in
 * the order of ids, and at least one is taken.
 */
export function takeFairShare<T extends Pick<UnrelayedCandidate, 'id' | 'organizationId' | 'webhooks'>>(
  candidates: readonly T[],
): T[] {
  const written = new Map<number, number>()
  const ranked = candidates.map((event) => {
    const rows = (written.get(event.organizationId) ?? 0) + 1 + event.webhooks
    written.set(event.organizationId, rows)
    return { event, rows }
  })
  ranked.sort((one, other) => one.rows - other.rows || one.event.id - other.event.id)
  let rows = 0
  const end = ranked.findIndex(({ event }, index) => {
    rows += 1 + event.webhooks
    return index > 0 && rows > EVENT_RELAY_DELIVERIES_MAX
  })
  const taken = end === -1 ? ranked : ranked.slice(0, end)
  return taken.map(({ event }) => event).sort((one, other) => one.id - other.id)
}

function isAnyShareFull(rows: readonly { readonly organizationId: number; readonly share: number }[]): boolean {
  const found = new Map<number, number>()
  for (const { organizationId } of rows) found.set(organizationId, (found.get(organizationId) ?? 0) + 1)
  return rows.some(({ organizationId, share }) => found.get(organizationId)! >= share)
}

/** The first event of an organization that nothing holds. */
export async function readFirstEvent(tx: Tx, organizationId: number): Promise<readonly UnrelayedEvent[]> {
  const { rows } = await sql<UnrelayedEvent>`
    select ${COLUMNS}, false as "isHeld" from outbox o
    where o.relayed_at is null and ${IS_NOT_HELD} and o.organization_id between ${organizationId} and ${organizationId}
    order by o.organization_id, o.id limit 1
  `.execute(tx)
  return rows
}

/** Of these events the ones that are still unrelayed and need not wait for another one. */
export async function readEvents(tx: Tx, ids: readonly number[]): Promise<readonly UnrelayedEvent[]> {
  const { rows } = await sql<UnrelayedEvent>`
    select ${COLUMNS}, not (${IS_NOT_HELD}) as "isHeld" from outbox o
    where o.relayed_at is null and ${FOLLOWS_NO_HELD_EVENT} and o.id = any(${ids}::bigint[])
    order by o.id
  `.execute(tx)
  return rows
}
