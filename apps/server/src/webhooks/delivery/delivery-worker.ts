import type { Agent } from 'undici'
import { randomBase62, WEBHOOK_CONCURRENCY_MAX } from '../../kernel/index.ts'
import { createGuardedAgent } from '../guard/guarded-agent.ts'
import type { WebhookParts } from '../parts.ts'
import { type ClaimedWebhook, claimDueWebhooks, LEASE_MS, releaseWebhook, renewLeases } from './claim-webhooks.ts'
import { type DeliverDueParts, deliverDue } from './deliver-due.ts'
import { createAttemptRecorder } from './record-attempts.ts'

/** Delivers webhooks, in this process. Several processes share the work: each webhook is served by one at a time. */
export interface DeliveryWorker {
  /** Begins to look for what is due, again and again. */
  start(): void
  /** Says that something may be due right now. */
  nudge(): void
  /** Takes what is due and begins to serve it; says how many webhooks that were. */
  runOnce(): Promise<number>
  /** Resolves when nothing that was taken is being served any more. */
  onIdle(): Promise<void>
  /** Begins nothing new, waits for what is under way (10 seconds at most), and gives everything back. */
  stop(): Promise<void>
}

type DeliveryWorkerParts = Pick<WebhookParts, 'db' | 'clock' | 'log' | 'random' | 'sealer' | 'rules'>

/** How often a process looks for work that nobody told it of: retries, and events that another process relayed. */
const POLL_MS = 100

export function createDeliveryWorker(parts: DeliveryWorkerParts): DeliveryWorker {
  const { db, clock, log } = parts
  const lease = randomBase62(parts.random, 16)
  const agent: Agent = createGuardedAgent(parts.rules)
  const stopping = new AbortController()
  const lane: DeliverDueParts = { ...parts, agent, record: createAttemptRecorder(db), stopping: stopping.signal }
  const lanes = new Map<number, Promise<void>>()
  let wakeUp = () => {}
  let looking: Promise<void> | undefined
  let heartbeat: NodeJS.Timeout | undefined
  let stopped: Promise<void> | undefined

  async function serveAndRelease(claimed: ClaimedWebhook): Promise<void> {
    try {
      await deliverDue(lane, claimed)
      await releaseWebhook(db, claimed)
    } catch (error) {
      // The lease ends by itself, and what was not written down is sent again.
      log.warn({ err: error, webhookId: claimed.webhookId }, 'a webhook could not be served to the end')
    }
  }

  /** A webhook may be claimed anew before this process has noticed that it was given back: then it is served again. */
  function take(claimed: ClaimedWebhook): void {
    const { webhookId } = claimed
    const before = lanes.get(webhookId) ?? Promise.resolve()
    const lane = before
      .then(() => serveAndRelease(claimed))
      .finally(() => {
        if (lanes.get(webhookId) === lane) lanes.delete(webhookId)
      })
    lanes.set(webhookId, lane)
  }

  async function runOnce(): Promise<number> {
    const room = WEBHOOK_CONCURRENCY_MAX - lanes.size
    if (room <= 0 || stopping.signal.aborted) return 0
    const claimed = await claimDueWebhooks(db, lease, clock.now(), room)
    for (const one of claimed) take(one)
    return claimed.length
  }

  async function look(): Promise<void> {
    while (!stopping.signal.aborted) {
      const nudged = new Promise<void>((resolve) => {
        wakeUp = resolve
      })
      try {
        await runOnce()
      } catch (error) {
        log.warn({ err: error }, 'due webhooks could not be looked for')
      }
      const pause = wakeAfter(POLL_MS)
      await Promise.race([nudged, pause.over])
      pause.cancel()
    }
  }

  const onIdle = async () => {
    while (lanes.size > 0) await Promise.all(lanes.values())
  }

  async function stop(): Promise<void> {
    stopping.abort()
    wakeUp()
    await looking
    await onIdle()
    clearInterval(heartbeat)
    await agent.close()
  }

  return {
    start() {
      looking ??= look()
      heartbeat ??= setInterval(() => {
        if (lanes.size === 0) return
        renewLeases(db, lease, [...lanes.keys()], clock.now()).catch((error) =>
          log.warn({ err: error }, 'leases could not be renewed'),
        )
      }, LEASE_MS / 3)
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
