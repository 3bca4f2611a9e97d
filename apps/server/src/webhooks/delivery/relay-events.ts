import { type Selectable, sql } from 'kysely'
import { allocationEventPayloads, exitEventPayloads } from '../../allocations/index.ts'
import {
  type EventPayload,
  inTransaction,
  isInfrastructureFailure,
  isTimeout,
  type OutboxEvent,
  type Schema,
  type Tx,
} from '../../database/index.ts'
import { EVENT_RELAY_TIMEOUTS_MAX, outageLogsBy, secondsBetween } from '../../kernel/index.ts'
import { BREAK_OBJECT, breakEventPayloads } from '../../ledger/index.ts'
import { operationEventPayloads } from '../../operations/index.ts'
import { isSubscribed } from '../events/event-names.ts'
import { insertDeliveries, type NewDelivery } from '../lifecycle/advance-deliveries.ts'
import type { WebhookParts } from '../parts.ts'
import { findWaitingEvents, holdEvent, type ReleasedEvent, releaseEvents } from './held-events.ts'
import { findLockedWebhooks, lockSubscribers } from './lock-subscribers.ts'
import { backoffOf, type OrganizationBackoff } from './organization-backoff.ts'
import { undoClockJump } from './undo-clock-jump.ts'
import { readEvents, readFirstEvent, readNextEvents, type UnrelayedEvent } from './unrelayed-events.ts'
import { wakeWebhooks } from './wake-webhooks.ts'

export type RelayParts = Pick<WebhookParts, 'db' | 'clock' | 'log'>

/**
 * Assigns committed events their position and payload, and creates one delivery per subscribed webhook, in one
 * transaction. Returns the number of events.
 *
 * One transaction does this at a time (the row of `event_relay`), so positions are assigned in the order in which they
 * become visible. Events of one object are in the order of its changes, because a change holds the object's lock from
 * before its event is written until it commits.
 *
 * An event that cannot be published is held (`held-events.ts`), and the others are published without it. Calls `onMore`
 * if it left others for the next round.
 */
export async function relayEvents(parts: RelayParts, onMore = () => {}): Promise<number> {
  const now = parts.clock.now()
  const backoff = backoffOf(parts.db)
  const { hasNew, held, isAhead } = await findWaitingEvents(parts.db, now, backoff.organizations())
  if (isAhead) await undoClockJumpOrLog(parts)
  const round: RelayRound = { ...parts, backoff, timeouts: 0 }
  let relayed = 0
  for (const id of held) relayed += await relayOrSplit(round, (tx) => readEvents(tx, [id]))
  if (hasNew) {
    let isMore = false
    relayed += await relayOrSplit(round, async (tx) => {
      const page = await readNextEvents(tx, backoff.organizations())
      isMore = page.isMore
      return page.events
    })
    if (isMore) onMore()
  }
  for (const organizationId of backoff.due(now)) relayed += await tryResting(round, organizationId)
  return relayed
}

/** One round of this process. */
interface RelayRound extends RelayParts {
  readonly backoff: OrganizationBackoff
  /** How many transactions ran into a time-out. */
  timeouts: number
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

/** Publishes the first event of an organization that rests, alone; if that works, the next round takes more. */
async function tryResting(round: RelayRound, organizationId: number): Promise<number> {
  const { timeouts } = round
  const relayed = await relayOrSplit(round, (tx) => readFirstEvent(tx, organizationId))
  if (round.timeouts === timeouts) {
    round.backoff.end(organizationId)
    waitsOf(round.log, round.log).recovered({ organizationId })
  }
  return relayed
}

const waitsOf = outageLogsBy({
  away: 'publishing one event of an organization runs into a time-out: its events wait, and no others',
  back: 'the events of an organization can be published again',
})

/** Publishes what `read` finds; in parts if that fails, to find those that cannot be published. */
async function relayOrSplit(
  round: RelayRound,
  readPage: (tx: Tx) => Promise<readonly UnrelayedEvent[]>,
): Promise<number> {
  let read: readonly UnrelayedEvent[] = []
  let published = NOTHING
  try {
    await inTransaction(round.db, async (tx) => {
      // Assigned in each attempt: a repeated transaction may find that another process published them.
      read = []
      published = NOTHING
      const relay = await tx.selectFrom('event_relay').selectAll().forUpdate().executeTakeFirstOrThrow()
      read = await readPage(tx)
      if (read.length > 0) published = await relayBatch(tx, round, relay, read)
    })
  } catch (error) {
    if (isInfrastructureFailure(error) || read.length === 0) throw error
    const locked = isTimeout(error) ? await findLockedWebhooks(round.db, organizationsOf(read)) : []
    return await relayInParts(round, read, error, locked)
  }
  for (const { organizationId, id, failures, since } of published.released) {
    const seconds = secondsBetween(since, round.clock.now())
    round.log.info({ organizationId, eventId: id, failures, seconds }, 'published a held event')
  }
  for (const { organizationId, id } of published.withoutObject)
    round.log.error(
      { organizationId, eventId: id },
      'the object of an event is missing; the data from the outbox was sent',
    )
  return read.length
}

/**
 * After a failure: an event that fails alone is held. A time-out holds none, because a larger part than the database can
 * write is no fault of its events, and a lock passes: where one event alone runs into it, or an organization one of whose
 * webhooks is `locked`, that organization rests.
 */
async function relayInParts(
  round: RelayRound,
  read: readonly UnrelayedEvent[],
  error: unknown,
  locked: readonly number[],
): Promise<number> {
  const { organizationId } = read[0]!
  const isAlone = read.length === 1 || (organizationsOf(read).length === 1 && locked.length === 1)
  if (isAlone) {
    if (isTimeout(error)) {
      round.backoff.begin(organizationId, round.clock.now())
      waitsOf(round.log, round.log).failed({ organizationId }, { err: error })
    } else await holdEvent(round, read[0]!, error)
  }
  if (isTimeout(error)) {
    round.timeouts += 1
    if (round.timeouts >= EVENT_RELAY_TIMEOUTS_MAX) throw error
  }
  if (isAlone) return 0
  let relayed = 0
  // In order: the first part decides which events of the second must wait.
  for (const part of divide(read, locked)) {
    const ids = part.flatMap((event) => (round.backoff.has(event.organizationId) ? [] : [event.id]))
    if (ids.length > 0) relayed += await relayOrSplit(round, (tx) => readEvents(tx, ids))
  }
  return relayed
}

/** Organizations without a locked webhook come first; otherwise halves: of organizations, or of the one's events. */
function divide(events: readonly UnrelayedEvent[], locked: readonly number[]): readonly (readonly UnrelayedEvent[])[] {
  const free = events.filter(({ organizationId }) => !locked.includes(organizationId))
  if (free.length > 0 && free.length < events.length)
    return [free, events.filter(({ organizationId }) => locked.includes(organizationId))]
  const organizations = organizationsOf(events)
  if (organizations.length === 1) {
    const half = Math.ceil(events.length / 2)
    return [events.slice(0, half), events.slice(half)]
  }
  const first = new Set(organizations.slice(0, Math.ceil(organizations.length / 2)))
  return [true, false].map((isFirst) => events.filter((event) => first.has(event.organizationId) === isFirst))
}

function organizationsOf(events: readonly UnrelayedEvent[]): number[] {
  return [...new Set(events.map(({ organizationId }) => organizationId))]
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
  const webhooks = await lockSubscribers(tx, organizationsOf(events))
  const deliveries = events.flatMap(({ id: eventId, ...event }) =>
    webhooks
      .filter((webhook) => webhook.organization_id === event.organizationId && isSubscribed(webhook, event))
      .map((webhook): NewDelivery => ({ ...event, eventId, webhookId: webhook.id })),
  )
  if (deliveries.length === 0) return
  await insertDeliveries(tx, deliveries, at)
  await wakeWebhooks(tx, deliveries, at)
}
