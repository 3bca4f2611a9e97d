import type { Agent } from 'undici'
import { createOutageReporter } from '../../database/index.ts'
import {
  createOutageLogs,
  randomBase62,
  WEBHOOK_CONCURRENCY_MAX,
  WEBHOOK_LEASE_MS,
  WEBHOOK_POLL_INTERVAL_MS,
} from '../../kernel/index.ts'
import { createGuardedAgent } from '../guard/guarded-agent.ts'
import type { WebhookParts } from '../parts.ts'
import {
  type ClaimedWebhook,
  claimDueWebhooks,
  countWaitingWebhooks,
  releaseWebhook,
  renewLeases,
} from './claim-webhooks.ts'
import { type DeliverDueParts, deliverDue } from './deliver-due.ts'
import { createLaneTimeSlices } from './lane-time-slices.ts'
import { createAttemptRecorder, type RecordAttempt } from './record-attempts.ts'

/** Delivers webhooks in this process. Processes share the work: each webhook is leased to one at a time. */
export interface DeliveryWorker {
  /** Starts polling for due webhooks. */
  start(): void
  /** Polls at once, because something may be due. */
  nudge(): void
  /** Claims due webhooks and starts delivering; returns how many. */
  runOnce(): Promise<number>
  /** Resolves when no claimed webhook is being served. */
  onIdle(): Promise<void>
  /** Stops claiming, waits for running requests (at most 10 seconds) and releases all webhooks. */
  stop(): Promise<void>
}

/** How the deliveries of this process progress. */
export interface DeliveryHealth {
  /** An attempt was recorded. */
  moved(): void
  /** What is due was claimed. */
  succeeded(): void
  failed(error: unknown): void
  /** Whether other processes claim what is due, and this one should not for now. */
  isLeft(): boolean
}

const UNHEARD: DeliveryHealth = { moved() {}, succeeded() {}, failed() {}, isLeft: () => false }

interface DeliveryWorkerParts
  extends Pick<WebhookParts, 'db' | 'clock' | 'log' | 'random' | 'sealer' | 'events' | 'rules'> {
  /** How many webhooks it serves at once; the limit except in tests. */
  readonly lanesMax?: number
}

/** A webhook that is being served. */
interface Lane {
  readonly organizationId: number
  readonly served: Promise<void>
}

export function createDeliveryWorker(parts: DeliveryWorkerParts, health: DeliveryHealth = UNHEARD): DeliveryWorker {
  const { db, clock, log, lanesMax = WEBHOOK_CONCURRENCY_MAX } = parts
  const lease = randomBase62(parts.random, 16)
  const agent: Agent = createGuardedAgent(parts.rules)
  const stopping = new AbortController()
  const recordAttempt = createAttemptRecorder(db)
  const record: RecordAttempt = async (attempted) => {
    const status = await recordAttempt(attempted)
    health.moved()
    return status
  }
  const lane: DeliverDueParts = { ...parts, agent, record, stopping: stopping.signal }
  const lanes = new Map<number, Lane>()
  const slices = createLaneTimeSlices()
  const outages = createOutageReporter(log, 'webhooks')
  const polls = createOutageLogs(log, {
    away: 'failed to poll for due webhooks',
    back: 'due webhooks can be polled for again',
  })
  const renewals = createOutageLogs(log, {
    away: 'failed to renew webhook leases',
    back: 'webhook leases are renewed again',
  })
  const deliveries = createOutageLogs(log, {
    away: 'failed to deliver to a webhook',
    back: 'deliveries to a webhook continue',
  })
  let wakeUp = () => {}
  let polling: Promise<void> | undefined
  let heartbeat: NodeJS.Timeout | undefined
  let stopped: Promise<void> | undefined

  /** Returns whether others wait for its lane. */
  async function serveAndRelease(claimed: ClaimedWebhook): Promise<boolean> {
    const { organizationId, webhookId } = claimed
    const slice = slices.begin()
    try {
      await deliverDue(lane, claimed, slice)
      await releaseWebhook(db, claimed)
      deliveries.recovered({ organizationId, webhookId })
      outages.reportRecovery('deliveries')
    } catch (error) {
      // The lease expires, and unrecorded attempts are sent again.
      if (!outages.reportFailure(error, 'deliveries')) deliveries.failed({ organizationId, webhookId }, { err: error })
    }
    return slice.end()
  }

  /** A webhook may be claimed again before its previous run here has ended; the runs are then chained. */
  function serve(claimed: ClaimedWebhook): void {
    const { organizationId, webhookId } = claimed
    const before = lanes.get(webhookId)?.served ?? Promise.resolve()
    const served = before
      .then(() => serveAndRelease(claimed))
      .finally(() => {
        if (lanes.get(webhookId)?.served === served) lanes.delete(webhookId)
      })
      .then((isAwaited) => {
        if (isAwaited) wakeUp()
      })
    lanes.set(webhookId, { organizationId, served })
  }

  async function countOthers(): Promise<number> {
    return health.isLeft() ? 0 : await countWaitingWebhooks(db, clock.now(), lanesMax)
  }

  async function runOnce(): Promise<number> {
    const limit = lanesMax - lanes.size
    if (stopping.signal.aborted) return 0
    if (limit <= 0) {
      // Where all lanes are taken, only their attempts are progress: they may hang.
      slices.awaited(await countOthers())
      return 0
    }
    const serving = [...lanes.values()].map(({ organizationId }) => organizationId)
    const claimed = health.isLeft() ? [] : await claimDueWebhooks(db, lease, clock.now(), { limit, serving })
    health.succeeded()
    for (const webhook of claimed) serve(webhook)
    slices.awaited(claimed.length < limit ? 0 : await countOthers())
    return claimed.length
  }

  async function poll(): Promise<void> {
    while (!stopping.signal.aborted) {
      const nudged = new Promise<void>((resolve) => {
        wakeUp = resolve
      })
      try {
        await runOnce()
        outages.reportRecovery('polls')
        polls.recovered({})
      } catch (error) {
        if (!outages.reportFailure(error, 'polls')) {
          polls.failed({}, { err: error })
          health.failed(error)
        }
      }
      const pause = wakeAfter(WEBHOOK_POLL_INTERVAL_MS)
      await Promise.race([nudged, pause.over])
      pause.cancel()
    }
  }

  const onIdle = async () => {
    while (lanes.size > 0) await Promise.all([...lanes.values()].map(({ served }) => served))
  }

  async function stop(): Promise<void> {
    stopping.abort()
    wakeUp()
    await polling
    await onIdle()
    clearInterval(heartbeat)
    await agent.close()
  }

  return {
    start() {
      polling ??= poll()
      heartbeat ??= setInterval(() => {
        if (lanes.size === 0) return
        renewLeases(db, lease, [...lanes.keys()], clock.now()).then(
          () => {
            renewals.recovered({})
            outages.reportRecovery('renewals')
          },
          (error) => {
            if (!outages.reportFailure(error, 'renewals')) renewals.failed({}, { err: error })
          },
        )
      }, WEBHOOK_LEASE_MS / 3)
    },
    nudge: () => wakeUp(),
    runOnce,
    onIdle,
    stop() {
      stopped ??= stop()
      return stopped
    },
  }
}

function wakeAfter(milliseconds: number): { readonly over: Promise<void>; cancel(): void } {
  let timer: NodeJS.Timeout | undefined
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds)
  })
  return { over, cancel: () => clearTimeout(timer) }
}
