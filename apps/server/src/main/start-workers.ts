import type { Config } from '../config.ts'
import { compactCounters, createQueue } from '../database/index.ts'
import { type IdentityParts, sweepSessions } from '../identity/index.ts'
import { Failure, type Log } from '../kernel/index.ts'
import {
  abortAbandonedOperations,
  abortOverdueOperations,
  expireOverdue,
  failWithheldOperations,
  type Parts,
} from '../operations/index.ts'
import { type RampParts, runProviderWork } from '../ramp/index.ts'
import { evaluateDueWallets, scheduleDriftedWallets } from '../rebalancing/index.ts'
import { deleteTreasurySends, resendStored, type SandboxParts } from '../sandbox/index.ts'
import { sweepIdempotencyKeys } from '../surfaces/http/index.ts'
import { createFollower } from '../watch/index.ts'
import {
  createDeliveryWorker,
  disableFailingWebhooks,
  relayEvents,
  sweepEvents,
  type WebhookParts,
} from '../webhooks/index.ts'

export interface ServiceWorkersOptions {
  readonly databaseUrl: string
  readonly parts: Parts & IdentityParts
  readonly webhooks: WebhookParts
  readonly rebalancing: Config['rebalancing']
  readonly ramp: RampParts
  /** Undefined in live. */
  readonly sandbox: SandboxParts | undefined
  readonly print: (line: string) => void
}

export interface ServiceWorkers {
  /** Resolves when every chain was looked at once, whether it answered or not, or is another process's to look at. */
  readonly firstRound: Promise<unknown>
  stop(): Promise<void>
}

/** Embedded chains have no other users: looking at them often costs nothing, and their users wait for it. */
const EMBEDDED_POLL_SECONDS = 0.2
/** Public chains make a block every 2 to 12 seconds, and their endpoints count requests. */
const POLL_SECONDS = 2

/** How long a changed buffer or balance waits to be looked at, at most. One small read where nothing is due. */
const REBALANCE_SECONDS = 0.5
/** How late a step of a simulated payment is at most. One small read where nothing is due. */
const PROVIDER_SECONDS = 0.2
/** How long an event waits for its place in line at most: half of what its receiver may notice. One small read. */
const RELAY_SECONDS = 0.05

/** The work that nobody asks for: one follower per chain, expiry, and sweeping what has had its time. */
export async function startWorkers({
  databaseUrl,
  parts,
  webhooks,
  rebalancing,
  ramp,
  sandbox,
  print,
}: ServiceWorkersOptions): Promise<ServiceWorkers> {
  const queue = createQueue({ databaseUrl, log: parts.log })
  await queue.start()
  const first = [...parts.chains.values()].map((chain) => {
    const { blockchain } = chain.network
    const embedded = sandbox?.sandbox.get(blockchain)
    const follower = createFollower(parts, chain, {
      isDevelopment: embedded !== undefined,
      print,
      ramp,
      onReset: (name) => deleteTreasurySends(parts, name),
    })
    const patient = logOutageOnce(parts.log, blockchain)
    if (sandbox && embedded)
      queue.every(`resend on ${blockchain}`, 10, () => patient(() => resendStored(sandbox, embedded)))
    const seconds = embedded ? EMBEDDED_POLL_SECONDS : POLL_SECONDS
    return queue.every(`follow ${blockchain}`, seconds, (signal) => patient(() => follower.round(signal)))
  })
  queue.every('banking provider', PROVIDER_SECONDS, () => runProviderWork(ramp))
  queue.every('expire operations', 1, async () => {
    await expireOverdue(parts)
  })
  queue.every('abort overdue operations', 60, async () => {
    await abortOverdueOperations(parts)
  })
  const rebalancer = { ...parts, rebalancing }
  queue.every('rebalance', REBALANCE_SECONDS, async (signal) => {
    while (!signal.aborted && (await evaluateDueWallets(rebalancer, signal)) > 0);
  })
  queue.every('screen operational wallets', rebalancing.interval, async (signal) => {
    await scheduleDriftedWallets(parts.db, parts.chains, rebalancing, parts.clock.now(), signal)
  })
  queue.every('end withheld work of agents', 5, async () => {
    await failWithheldOperations(parts)
  })
  queue.every('end abandoned work of agents', 600, async () => {
    await abortAbandonedOperations(parts)
  })
  queue.every('fold tallies', 10, async () => {
    await compactCounters(parts.db)
  })
  queue.every('sweep idempotency keys', 3_600, async () => {
    await sweepIdempotencyKeys(parts.db, parts.clock.now())
  })
  const deliverer = createDeliveryWorker(webhooks)
  deliverer.start()
  queue.every('relay events', RELAY_SECONDS, async () => {
    if ((await relayEvents(webhooks)) > 0) deliverer.nudge()
  })
  queue.every('disable failing webhooks', 60, async () => {
    await disableFailingWebhooks(webhooks)
  })
  queue.every('sweep events', 3_600, async () => {
    await sweepEvents(webhooks)
  })
  queue.every('sweep sessions', 86_400, async () => {
    await sweepSessions(parts)
  })
  return {
    firstRound: Promise.all(first),
    stop: async () => {
      await Promise.all([queue.stop(), deliverer.stop()])
    },
  }
}

/** A chain that does not answer is told once, and once more when it does again, not five times a second. */
function logOutageOnce(log: Log, blockchain: string): (work: () => Promise<void>) => Promise<void> {
  let silent = false
  return async (work) => {
    try {
      await work()
      if (silent) log.info({ blockchain }, 'the chain answers again')
      silent = false
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== 'CHAIN_UNAVAILABLE') throw error
      if (!silent) log.warn({ blockchain, err: error }, 'the chain does not answer')
      silent = true
    }
  }
}
