import { type RawBuilder, sql } from 'kysely'
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

const ACTIVE_WEBHOOKS: RawBuilder<number> = sql`(select count(*) from webhooks w
  where w.organization_id = o.organization_id and w.disabled_at is null and w.deleted_at is null)`

/**
 * The next events that nothing holds, except those of the organizations in `without`, in the order in which they were
 * written. As many as one transaction may publish, counted with their deliveries; at least one.
 */
export async function readNextEvents(
  tx: Tx,
  without: readonly number[],
): Promise<{ readonly events: readonly UnrelayedEvent[]; readonly isMore: boolean }> {
  const { rows } = await sql<UnrelayedCandidate>`
    select ${COLUMNS}, false as "isHeld", ${ACTIVE_WEBHOOKS} as webhooks from outbox o
    where o.relayed_at is null and ${IS_NOT_HELD} and o.organization_id <> all(${without}::bigint[])
    order by o.id limit ${EVENT_RELAY_BATCH}
  `.execute(tx)
  const events = affordable(rows)
  return { events, isMore: events.length < rows.length || rows.length >= EVENT_RELAY_BATCH }
}

/** Those with which the rows that a transaction writes stay below the limit: an event is one, each delivery another. */
function affordable(candidates: readonly UnrelayedCandidate[]): readonly UnrelayedEvent[] {
  let rows = 0
  const end = candidates.findIndex(({ webhooks }, index) => {
    rows += 1 + webhooks
    return index > 0 && rows > EVENT_RELAY_DELIVERIES_MAX
  })
  return end === -1 ? candidates : candidates.slice(0, end)
}

/** The first event of an organization that nothing holds. */
export async function readFirstEvent(tx: Tx, organizationId: number): Promise<readonly UnrelayedEvent[]> {
  const { rows } = await sql<UnrelayedEvent>`
    select ${COLUMNS}, false as "isHeld" from outbox o
    where o.relayed_at is null and ${IS_NOT_HELD} and o.organization_id = ${organizationId}
    order by o.id limit 1
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
