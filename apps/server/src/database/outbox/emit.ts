import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../handles.ts'
import { announceEventWrite } from './event-writes.ts'

/** A new event, for webhooks, the event stream and other consumers. */
export interface NewEvent {
  readonly organizationId: number
  /** For example `operation.completed` (contract 12). */
  readonly event: string
  readonly objectType: string
  readonly objectId: number
  /** Plain JSON, so amounts are text. */
  readonly data: Record<string, unknown>
  /** Personal fields, sealed as JSON under {@link labelOfPersonalFields}; `data` has null in their place. */
  readonly personal?: Buffer
  readonly at: Date
}

/**
 * Binds the sealed personal fields of an event to its object: copied to an event about another object, they do not
 * open.
 */
export function labelOfPersonalFields(
  event: Pick<NewEvent, 'organizationId' | 'event' | 'objectType' | 'objectId'>,
): string {
  return `outbox.personal ${event.organizationId}/${event.objectType}/${event.objectId}/${event.event}`
}

/** An event as stored in the outbox, with the data of its moment, which later changes would overwrite. */
export interface OutboxEvent {
  readonly id: number
  readonly organizationId: number
  readonly data: Record<string, unknown>
}

/** The public payload of an event, and the profile of its wallet (null: no wallet is involved). */
export interface EventPayload {
  readonly data: Record<string, unknown>
  readonly walletProfileId: number | null
}

/**
 * Writes events to the outbox in the transaction of their state change: no event without its change, no change without
 * its event (contract 12). One statement for all of them, and none for an empty list. Returns their ids in list order.
 */
export async function emit(tx: Tx, events: readonly NewEvent[]): Promise<number[]> {
  if (events.length === 0) return []
  const values = events.map(
    ({ organizationId, event, objectType, objectId, data, at, personal = null }) =>
      sql`(${organizationId}, ${event}, ${objectType}, ${objectId}, ${JSON.stringify(data)}, ${at}, ${personal})`,
  )
  const { rows } = await sql<{ id: number }>`
    ${insertEventsSql(sql`values ${sql.join(values)}`, 'personal')} returning id
  `.execute(tx)
  return rows.map(({ id }) => id)
}

/**
 * The one statement that writes the outbox, for a larger statement that changes state and emits events at once. `events`
 * is a query whose columns are organization, event, object type, object id, data and time, and with `personal` the sealed
 * fields, in the order of emission.
 */
export function insertEventsSql(events: RawBuilder<unknown>, last?: 'personal'): RawBuilder<unknown> {
  announceEventWrite()
  const more = last === undefined ? sql`` : sql`, personal`
  return sql`insert into outbox (organization_id, event, object_type, object_id, data, created_at${more}) ${events}`
}
