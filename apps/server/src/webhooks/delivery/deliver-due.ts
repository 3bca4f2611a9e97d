import {
  addMilliseconds,
  inSpan,
  outageLogsBy,
  type Span,
  traceparentOf,
  WEBHOOK_KEY_WAIT_MS,
  WEBHOOK_PREFETCH_AGE_MS_MAX,
  WEBHOOK_PREFETCH_MAX,
  WEBHOOK_REQUESTS_PER_RECEIVER_MAX,
} from '../../kernel/index.ts'
import { messageIdOf } from '../events/event-names.ts'
import { deferDelivery } from '../lifecycle/advance-deliveries.ts'
import type { WebhookParts } from '../parts.ts'
import { type ClaimedWebhook, readHealth, type StoredHealth, saveHealth } from './claim-webhooks.ts'
import { deliverySpan, recordResult } from './delivery-span.ts'
import { type DueDelivery, dueDeliveries, triedDeliveries } from './due-deliveries.ts'
import type { LaneTimeSlice } from './lane-time-slices.ts'
import { openDelivery } from './open-delivery.ts'
import type { RecordAttempt } from './record-attempts.ts'
import { type EndpointHealth, HEALTHY, healthAfterAttempt, isProbing, nextAttemptAt } from './retry-schedule.ts'
import { type SendParts, type SendResult, sendWebhook } from './send-webhook.ts'

/** Dependencies of delivering to a webhook. */
export interface DeliverDueParts
  extends Pick<WebhookParts, 'db' | 'clock' | 'log' | 'random' | 'sealer' | 'events'>,
    SendParts {
  readonly record: RecordAttempt
  /** Aborted on shutdown: running requests finish, no new ones start. */
  readonly stopping: AbortSignal
}

/** The keys of a process do not change: the wait ends in another process, or at the next start. */
const waitsOf = outageLogsBy({ away: 'a delivery waits for a process that has its key' })
const eventsOf = outageLogsBy({
  away: 'failed to decrypt the event of a delivery',
  back: 'the event of a delivery can be decrypted again',
  level: 'error',
})
const secretsOf = outageLogsBy({
  away: 'failed to decrypt the signing secret of a webhook',
  back: 'the signing secret of a webhook can be decrypted again',
  level: 'error',
})

interface DeliveryInFlight {
  readonly object: string
  /** Never rejects. */
  readonly done: Promise<void>
}

/**
 * Delivers to one webhook until nothing is due, the endpoint is paused, the time slice is over, or the process stops:
 * up to eight requests at a time, and for one object one at a time, in the order of its events. A failed event does not
 * block later events of its object, which would otherwise wait for a day. A failing endpoint is probed with one
 * delivery at a time.
 */
export async function deliverDue(
  parts: DeliverDueParts,
  claimed: ClaimedWebhook,
  slice: Pick<LaneTimeSlice, 'isOver'>,
): Promise<void> {
  const running = new Map<number, DeliveryInFlight>()
  let { health } = claimed
  let stored: StoredHealth = claimed
  let lastUrl = ''
  let queue: DueDelivery[] = []
  let readAt = Number.NEGATIVE_INFINITY
  let started = 0
  // Kept: an attempt may end while the loop is reading, and is then gone from `running`.
  const errors: unknown[] = []

  const isClosed = () =>
    errors.length > 0 ||
    parts.stopping.aborted ||
    slice.isOver(started) ||
    (health.pausedUntil !== null && health.pausedUntil > parts.clock.now())

  async function deliver(due: DueDelivery): Promise<void> {
    const result = await attempt(parts, claimed, due)
    if (result === undefined) return
    health = healthAfterAttempt(health, result, result.at)
    lastUrl = due.url
  }

  /** Called only by the loop below, so that concurrent attempts cannot write out of order. */
  async function saveChangedHealth(): Promise<void> {
    while (health !== stored.health) {
      const found = { url: lastUrl, from: stored, to: health }
      if (await saveHealth(parts.db, claimed, found)) stored = { ...stored, health: found.to }
      else {
        const now = await readHealth(parts.db, claimed)
        stored = now
        // A success counts whatever was stored meanwhile. Failures continue from there.
        if (health !== HEALTHY || now.url !== lastUrl) health = stored.health
      }
    }
  }

  function start(due: DueDelivery): void {
    started += 1
    const done = deliver(due)
      .catch((error) => errors.push(error))
      .then(() => void running.delete(due.id))
    running.set(due.id, { object: objectOf(due), done })
  }

  try {
    while (!isClosed()) {
      const isProbe = isProbing(health)
      const hasRoom = running.size < (isProbe ? 1 : WEBHOOK_REQUESTS_PER_RECEIVER_MAX)
      if (isProbe && hasRoom) {
        queue = []
        const probe = await readProbe(parts, claimed, health)
        if (!probe || isClosed()) break
        start(probe)
        continue
      }
      if (performance.now() - readAt > WEBHOOK_PREFETCH_AGE_MS_MAX) queue = []
      const next = hasRoom ? nextDeliverable(queue, running) : undefined
      if (next) {
        queue = queue.filter((due) => due !== next)
        start(next)
        continue
      }
      if (hasRoom && queue.length < WEBHOOK_PREFETCH_MAX) {
        if (queue.length === 0) readAt = performance.now()
        const taken = [...running.keys(), ...queue.map(({ id }) => id)]
        const read = { at: parts.clock.now(), taken, limit: WEBHOOK_PREFETCH_MAX - queue.length }
        const more = await dueDeliveries(parts.db, claimed, read)
        queue.push(...more)
        if (more.length > 0) continue
      }
      if (running.size === 0) break
      await Promise.race(doneOf(running))
      await saveChangedHealth()
    }
  } finally {
    // Wait for running requests: their results matter, and they end within 10 seconds.
    await Promise.all(doneOf(running))
    await saveChangedHealth()
  }
  if (errors.length > 0) throw errors[0]
}

/** One attempt, traced: about an operation, in the operation's trace. */
function attempt(parts: DeliverDueParts, claimed: ClaimedWebhook, due: DueDelivery) {
  return inSpan(
    () => deliverySpan(claimed, due),
    (span) => sendAndRecord(parts, { claimed, due, span }),
  )
}

interface Attempt {
  readonly claimed: ClaimedWebhook
  readonly due: DueDelivery
  readonly span: Span
}

/**
 * Signs, sends and records one attempt. Returns what it says about the endpoint: nothing, where the event could not be
 * opened.
 */
async function sendAndRecord(parts: DeliverDueParts, { claimed, due, span }: Attempt) {
  const { log } = parts
  const { webhookId, organizationId } = claimed
  const webhook = { organizationId, webhookId }
  const event = { ...webhook, eventId: due.eventId }
  const at = parts.clock.now()
  const opened = openDelivery(parts, claimed, due, at)
  if (opened.outcome === 'opened') {
    secretsOf(log, log).recovered(webhook)
    eventsOf(log, log).recovered(event)
    const result = await sendWebhook(parts, {
      url: due.url,
      id: messageIdOf(due.eventId),
      at,
      body: opened.body,
      secrets: opened.secrets,
      traceparent: span.context && traceparentOf(span.context),
    })
    return await recordAttempt(parts, { due, span, at }, result)
  }
  const why = { err: opened.cause }
  if (opened.outcome === 'no-key') {
    waitsOf(log, log).failed(webhook, why)
    span.fail('no_key')
    await deferDelivery(parts.db, { organizationId, deliveryId: due.id }, addMilliseconds(at, WEBHOOK_KEY_WAIT_MS))
    return undefined
  }
  if (opened.part === 'event') eventsOf(log, log).failed(event, why)
  else secretsOf(log, log).failed(webhook, why)
  const error = `The ${opened.part} could not be decrypted.`
  const result = await recordAttempt(parts, { due, span, at }, { ok: false, statusCode: null, error, durationMs: 0 })
  // A secret is the webhook's own: its members see it as failing, and can rotate the secret.
  return opened.part === 'event' ? undefined : result
}

async function recordAttempt(
  parts: DeliverDueParts,
  { due, span, at }: Pick<Attempt, 'due' | 'span'> & { readonly at: Date },
  { ok, statusCode, error, durationMs }: SendResult,
) {
  recordResult(span, { ok, statusCode })
  const endedAt = addMilliseconds(at, durationMs)
  const next = ok ? null : nextAttemptAt(due.tries + 1, endedAt, parts.random)
  const status = await parts.record({
    deliveryId: due.id,
    began: due,
    attempt: { at: at.toISOString(), statusCode, error, durationMs },
    outcome: next ? { event: 'attempt_failed', retryAt: next } : { event: ok ? 'succeeded' : 'attempts_exhausted' },
  })
  // Not where a replay overtook the last attempt: the delivery has a full set of attempts before it.
  return { ok, exhausted: next === null && status === 'failed', at: endedAt }
}

/**
 * The delivery to probe a failing endpoint with: each second time the one with the most attempts, which must run out of
 * them within days although more events arrive than there are probes; otherwise the one that is due the longest, because
 * the endpoint may refuse some events only.
 */
async function readProbe(
  { db, clock }: DeliverDueParts,
  claimed: ClaimedWebhook,
  { failures }: EndpointHealth,
): Promise<DueDelivery | undefined> {
  const read = { at: clock.now(), taken: [], limit: 1 }
  const [tried] = failures % 2 === 1 ? await triedDeliveries(db, claimed, read) : []
  return tried ?? (await dueDeliveries(db, claimed, read))[0]
}

/** The first delivery whose object has no running request. */
function nextDeliverable(
  queue: readonly DueDelivery[],
  running: ReadonlyMap<number, DeliveryInFlight>,
): DueDelivery | undefined {
  const busy = new Set([...running.values()].map(({ object }) => object))
  return queue.find((due) => !busy.has(objectOf(due)))
}

function doneOf(running: ReadonlyMap<number, DeliveryInFlight>): Promise<void>[] {
  return [...running.values()].map(({ done }) => done)
}

function objectOf({ objectType, objectId }: DueDelivery): string {
  return `${objectType} ${objectId}`
}
