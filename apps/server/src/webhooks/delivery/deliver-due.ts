import { addMilliseconds, WEBHOOK_REQUESTS_PER_RECEIVER_MAX } from '../../kernel/index.ts'
import { openSigningSecret } from '../endpoints/signing-secret.ts'
import { messageIdOf } from '../events/event-names.ts'
import type { WebhookParts } from '../parts.ts'
import { type ClaimedWebhook, saveHealth } from './claim-webhooks.ts'
import { type DueDelivery, dueDeliveries } from './due-deliveries.ts'
import type { RecordAttempt } from './record-attempts.ts'
import { type EndpointHealth, HEALTHY, healthAfterAttempt, isProbing, nextAttemptAt } from './retry-schedule.ts'
import { type SendParts, sendWebhook } from './send-webhook.ts'

/** What serving a webhook needs. */
export interface DeliverDueParts extends Pick<WebhookParts, 'db' | 'clock' | 'random' | 'sealer'>, SendParts {
  readonly record: RecordAttempt
  /** Aborted when the process stops: what is under way ends, nothing new begins. */
  readonly stopping: AbortSignal
}

/** Deliveries are read ahead, so many and for so long: afterwards the webhook may have been changed. */
const PREFETCH = 32
const PREFETCH_MAX_AGE_MS = 1_000

interface DeliveryInFlight {
  readonly object: string
  readonly done: Promise<void>
}

/**
 * Serves one webhook until nothing is due, its receiver is to be left alone, or the process stops: up to eight requests
 * at a time, and those of one object one after the other, in the order of its events. An event whose attempt failed
 * does not keep the later ones of its object back: they would wait for a day.
 */
export async function deliverDue(parts: DeliverDueParts, claimed: ClaimedWebhook): Promise<void> {
  const running = new Map<number, DeliveryInFlight>()
  let health: EndpointHealth = claimed.health.failures === 0 ? HEALTHY : claimed.health
  let kept = health
  let lastUrl = ''
  let queue: DueDelivery[] = []
  let readAt = Number.NEGATIVE_INFINITY

  const isClosed = () =>
    parts.stopping.aborted || (health.pausedUntil !== null && health.pausedUntil > parts.clock.now())

  async function deliver(due: DueDelivery): Promise<void> {
    const { ok, exhausted, at } = await attempt(parts, claimed, due)
    health = healthAfterAttempt(health, { ok, exhausted }, at)
    lastUrl = due.url
  }

  /** Written by this loop alone, so that what several attempts say at once does not overtake itself. */
  async function keepWhatIsKnown(): Promise<void> {
    if (health === kept) return
    kept = health
    await saveHealth(parts.db, claimed, lastUrl, health)
  }

  function start(due: DueDelivery): void {
    const done = deliver(due).finally(() => running.delete(due.id))
    running.set(due.id, { object: objectOf(due), done })
    // It is awaited further down; until then nobody listens.
    done.catch(() => undefined)
  }

  try {
    while (!isClosed()) {
      const hasRoom = running.size < (isProbing(health) ? 1 : WEBHOOK_REQUESTS_PER_RECEIVER_MAX)
      if (performance.now() - readAt > PREFETCH_MAX_AGE_MS) queue = []
      const next = hasRoom ? nextDeliverable(queue, running) : undefined
      if (next) {
        queue = queue.filter((due) => due !== next)
        start(next)
        continue
      }
      if (hasRoom && queue.length < PREFETCH) {
        if (queue.length === 0) readAt = performance.now()
        const inHand = [...running.keys(), ...queue.map(({ id }) => id)]
        const read = { at: parts.clock.now(), inHand, limit: PREFETCH - queue.length }
        const more = await dueDeliveries(parts.db, claimed, read)
        queue.push(...more)
        if (more.length > 0) continue
      }
      if (running.size === 0) break
      await Promise.race(doneOf(running))
      await keepWhatIsKnown()
    }
  } finally {
    // What is under way is waited for: its answer is worth knowing, and it ends within 10 seconds.
    await Promise.allSettled(doneOf(running))
    await keepWhatIsKnown()
  }
}

/** One attempt, signed, sent and written down. */
async function attempt(parts: DeliverDueParts, claimed: ClaimedWebhook, due: DueDelivery) {
  const at = parts.clock.now()
  const secrets = secretsOf(parts, claimed, due, at)
  const { ok, statusCode, error, durationMs } = await sendWebhook(parts, {
    url: due.url,
    id: messageIdOf(due.eventId),
    at,
    body: due.body,
    secrets,
  })
  const over = addMilliseconds(at, durationMs)
  const next = ok ? null : nextAttemptAt(due.tries + 1, over, parts.random)
  await parts.record({
    deliveryId: due.id,
    attempt: { at: at.toISOString(), statusCode, error, durationMs },
    status: ok ? 'delivered' : next ? 'pending' : 'failed',
    nextAttemptAt: next,
  })
  return { ok, exhausted: !ok && next === null, at: over }
}

/** The first that may go: nothing of its object is under way. */
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

/** The new secret first; the one before it as long as it is valid. */
function secretsOf(
  { sealer }: Pick<DeliverDueParts, 'sealer'>,
  claimed: ClaimedWebhook,
  due: DueDelivery,
  at: Date,
): string[] {
  const { secret, previousSecret, previousSecretUntil } = due
  const isOldValid = previousSecret !== null && previousSecretUntil !== null && previousSecretUntil > at
  return [secret, ...(isOldValid ? [previousSecret] : [])].map((sealed) => openSigningSecret(sealer, sealed, claimed))
}
