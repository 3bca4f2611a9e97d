import { type Selectable, sql } from 'kysely'
import { allocationEventPayloads, exitEventPayloads } from '../../allocations/index.ts'
import {
  type EventPayload,
  inTransaction,
  isSharedFailure,
  type OutboxEvent,
  type Schema,
  type Tx,
} from '../../database/index.ts'
import { EVENT_RELAY_BATCH, outageLogsBy, secondsBetween } from '../../kernel/index.ts'
import { BREAK_OBJECT, breakEventPayloads } from '../../ledger/index.ts'
import { operationEventPayloads } from '../../operations/index.ts'
import { isSubscribed } from '../events/event-names.ts'
import { insertDeliveries, type NewDelivery } from '../lifecycle/advance-deliveries.ts'
import type { WebhookParts } from '../parts.ts'
import { wakeWebhooks } from './deliveries.ts'
import {
  FOLLOWS_NO_HELD_EVENT,
  findWaitingEvents,
  holdEvent,
  IS_NOT_HELD,
  type ReleasedEvent,
  releaseEvents,
} from './held-events.ts'
import { undoClockJump } from './undo-clock-jump.ts'

interface UnrelayedEvent extends OutboxEvent {
  readonly event: string
  readonly objectType: string
  readonly objectId: number
  readonly createdAt: Date
  /** It could not be published before. */
  readonly isHeld: boolean
}

export type RelayParts = Pick<WebhookParts, 'db' | 'clock' | 'log'>

/**
 * Assigns committed events their position and payload, and creates one delivery per subscribed webhook, in one
 * transaction. Returns the number of events.
 *
 * One transaction does this at a time (the row of `event_relay`), so positions are assigned in the order in which they
 * become visible. Events of one object are in the order of its changes, because a change holds the object's lock from
 * before its event is written until it commits.
 *
 * An event that cannot be published is held (`held-events.ts`), and the others are published without it.
 */
export async function relayEvents(parts: RelayParts): Promise<number> {
  const { hasNew, held, isAhead } = await findWaitingEvents(parts.db, parts.clock.now())
  if (isAhead) await undoClockJumpOrLog(parts)
  let relayed = 0
  for (const id of held) relayed += await relayOrSplit(parts, [id])
  return hasNew ? relayed + (await relayOrSplit(parts, undefined)) : relayed
}

const jumpsOf = outageLogsBy({
  away: 'failed to take back the times of a clock that was ahead',
  back: 'the times of a clock that was ahead are taken back',
})

/** Events do not wait for it: a failure would otherwise stop every webhook until that clock's time. */
async function undoClockJumpOrLog(parts: RelayParts): Promise<void> {
  const jumps = jumpsOf(parts.log, parts.log)
  try {
    await undoClockJump(parts)
    jumps.recovered({})
  } catch (error) {
    jumps.failed({}, { err: error })
  }
}

/** Publishes these events, or the next ones; in parts if that fails, to find those that cannot be published. */
async function relayOrSplit(parts: RelayParts, ids: readonly number[] | undefined): Promise<number> {
  let read: readonly UnrelayedEvent[] = []
  let published = NOTHING
  try {
    await inTransaction(parts.db, async (tx) => {
      const relay = await tx.selectFrom('event_relay').selectAll().forUpdate().executeTakeFirstOrThrow()
      read = await readUnrelayedEvents(tx, ids)
      // Assigned in each attempt: a repeated transaction may find that another process published them.
      published = read.length > 0 ? await relayBatch(tx, parts, relay, read) : NOTHING
    })
  } catch (error) {
    if (isSharedFailure(error) || read.length === 0) throw error
    const [only, ...others] = read
    if (others.length === 0) {
      await holdEvent(parts, only!, error)
      return 0
    }
    // In order: the first half decides which events of the second must wait.
    const half = Math.ceil(read.length / 2)
    const first = await relayOrSplit(
      parts,
      read.slice(0, half).map(({ id }) => id),
    )
    return (
      first +
      (await relayOrSplit(
        parts,
        read.slice(half).map(({ id }) => id),
      ))
    )
  }
  for (const { organizationId, id, failures, since } of published.released) {
    const seconds = secondsBetween(since, parts.clock.now())
    parts.log.info({ organizationId, eventId: id, failures, seconds }, 'published a held event')
  }
  for (const { organizationId, id } of published.withoutObject)
    parts.log.error(
      { organizationId, eventId: id },
      'the object of an event is missing; the data from the outbox was sent',
    )
  return read.length
}

interface PublishedBatch {
  readonly released: readonly ReleasedEvent[]
  /** Events whose object is missing. */
  readonly withoutObject: readonly UnrelayedEvent[]
}

const NOTHING: PublishedBatch = { released: [], withoutObject: [] }

async function relayBatch(
  tx: Tx,
  parts: RelayParts,
  relay: Selectable<Schema['event_relay']>,
  events: readonly UnrelayedEvent[],
): Promise<PublishedBatch> {
  const now = parts.clock.now()
  // Deliveries are due in the order of their events even if the clocks of two processes differ. A time that is far ahead
  // moves all of them: the next round of a process with a right clock takes it back (`undo-clock-jump.ts`).
  const at = relay.last_at && relay.last_at > now ? relay.last_at : now
  const { payloads, withoutObject } = await buildPayloads(tx, events)
  const rows = events.map((event, index) => {
    const { data, walletProfileId } = payloads.get(event.id) ?? { data: event.data, walletProfileId: null }
    const body = JSON.stringify({ event: event.event, timestamp: event.createdAt.toISOString(), data })
    return { id: event.id, position: relay.last_position + index + 1, body, wallet_profile_id: walletProfileId }
  })
  await sql`
    with line as (
      update event_relay set last_position = ${relay.last_position + events.length}, last_at = ${at}
    )
    update outbox o
    set position = r.position, body = r.body, wallet_profile_id = r.wallet_profile_id, relayed_at = ${at}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as r(id bigint, position bigint, body text, wallet_profile_id bigint)
    where o.id = r.id
  `.execute(tx)
  await createDeliveries(tx, events, at)
  const released = await releaseEvents(
    tx,
    events.filter(({ isHeld }) => isHeld),
  )
  return { released, withoutObject }
}

/** The next events, or of these the ones that need not wait for another one. */
async function readUnrelayedEvents(tx: Tx, ids: readonly number[] | undefined): Promise<UnrelayedEvent[]> {
  const rows = await tx
    .selectFrom('outbox as o')
    .select(['o.id', 'o.organization_id', 'event', 'o.object_type', 'o.object_id', 'data', 'created_at'])
    .select(IS_NOT_HELD.as('is_free'))
    .where('relayed_at', 'is', null)
    .where(ids ? FOLLOWS_NO_HELD_EVENT : IS_NOT_HELD)
    .$if(ids !== undefined, (query) => query.where('o.id', '=', sql<number>`any(${ids}::bigint[])`))
    .orderBy('o.id')
    .limit(EVENT_RELAY_BATCH)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    organizationId: row.organization_id,
    event: row.event,
    objectType: row.object_type,
    objectId: row.object_id,
    data: row.data,
    createdAt: row.created_at,
    isHeld: !row.is_free,
  }))
}

/** Object types whose room builds the payload; others use the data in the outbox. */
const PAYLOAD_BUILDERS = new Map<
  string,
  (tx: Tx, events: readonly OutboxEvent[]) => Promise<ReadonlyMap<number, EventPayload>>
>([
  ['operation', operationEventPayloads],
  ['allocation', allocationEventPayloads],
  ['exit', exitEventPayloads],
  [BREAK_OBJECT, breakEventPayloads],
])

/** An event whose object is missing must not block the others. */
async function buildPayloads(tx: Tx, events: readonly UnrelayedEvent[]) {
  const all = new Map<number, EventPayload>()
  const withoutObject: UnrelayedEvent[] = []
  for (const [objectType, build] of PAYLOAD_BUILDERS) {
    const ofType = events.filter((event) => event.objectType === objectType)
    const payloads = await build(tx, ofType)
    for (const event of ofType) {
      const payload = payloads.get(event.id)
      if (payload) all.set(event.id, payload)
      else withoutObject.push(event)
    }
  }
  return { payloads: all as ReadonlyMap<number, EventPayload>, withoutObject }
}

async function createDeliveries(tx: Tx, events: readonly UnrelayedEvent[], at: Date): Promise<void> {
  const webhooks = await lockSubscribers(tx, [...new Set(events.map(({ organizationId }) => organizationId))])
  const deliveries = events.flatMap(({ id: eventId, ...event }) =>
    webhooks
      .filter((webhook) => webhook.organization_id === event.organizationId && isSubscribed(webhook, event))
      .map((webhook): NewDelivery => ({ ...event, eventId, webhookId: webhook.id })),
  )
  if (deliveries.length === 0) return
  await insertDeliveries(tx, deliveries, at)
  await wakeWebhooks(tx, deliveries, at)
}

/**
 * The active webhooks of these organizations. Their rows stay locked until the deliveries are committed, so that a worker
 * cannot release a webhook and miss deliveries that are being written.
 */
async function lockSubscribers(tx: Tx, organizationIds: readonly number[]) {
  return await tx
    .selectFrom('webhooks')
    .innerJoin('organizations', 'organizations.id', 'webhooks.organization_id')
    .select(['webhooks.organization_id', 'webhooks.id', 'webhooks.events'])
    .where('webhooks.organization_id', 'in', organizationIds)
    .where('webhooks.disabled_at', 'is', null)
    .where('webhooks.deleted_at', 'is', null)
    .where('organizations.deleted_at', 'is', null)
    .orderBy('webhooks.id')
    .forNoKeyUpdate('webhooks')
    .execute()
}
