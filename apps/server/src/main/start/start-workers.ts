import { evaluateBreakers } from '../../breakers/index.ts'
import { type ChangeParts, expireChangeRequests } from '../../changes/index.ts'
import type { Config } from '../../config.ts'
import {
  compactCounters,
  createPeriodicRunner,
  type JobLease,
  makePartitions,
  type Retention,
  type WorkReport,
} from '../../database/index.ts'
import {
  anchorAuditHeads,
  chainAuditEntries,
  eraseRequested,
  type IdentityParts,
  requestExpiredErasures,
  type SecurityEventRecorder,
} from '../../identity/index.ts'
import {
  AUDIT_ANCHOR_CHECK_SECONDS,
  AUDIT_CHAINING_SECONDS,
  BREAKERS_POLL_SECONDS,
  CHAIN_POLL_SECONDS,
  type ClockComparison,
  EMBEDDED_CHAIN_POLL_SECONDS,
  ERASURE_CHECK_SECONDS,
  ERASURE_SECONDS,
  FIRST_ROUND_TIMEOUT_MS,
  GAS_POLL_SECONDS,
  MAKE_PARTITIONS_SECONDS,
  REBALANCE_POLL_SECONDS,
  SANDBOX_TRANSFERS_POLL_SECONDS,
  SEAL_CLEAR_FIELDS_SECONDS,
  settlesWithin,
  WEBHOOK_POLL_INTERVAL_MS,
  WORK_STALLED_MS,
} from '../../kernel/index.ts'
import type { MailDeliveryParts } from '../../mail/index.ts'
import {
  abortAbandonedOperations,
  abortOverdueOperations,
  expireOverdue,
  failWithheldOperations,
  offerStuckTransactions,
  type Parts,
} from '../../operations/index.ts'
import {
  eraseExpiredRecipients,
  eraseStaleKybAnswers,
  type RampParts,
  runProviderWork,
  sealClearFields,
} from '../../ramp/index.ts'
import { createGasMeter, evaluateDueWallets, type GasRunway, scheduleDriftedWallets } from '../../rebalancing/index.ts'
import { deleteTreasurySends, resendStored, type SandboxParts } from '../../sandbox/index.ts'
import { createFollower, type Follower } from '../../watch/index.ts'
import {
  createDeliveryWorker,
  disableFailingWebhooks,
  failStoppedDeliveries,
  startRelay,
  type WebhookParts,
} from '../../webhooks/index.ts'
import { anchorPublishers } from '../compose/anchor-publishers.ts'
import { erasureSteps } from '../compose/organization-erasure.ts'
import { startMailWork } from './start-mail-work.ts'
import { type DeletedRows, startRetention } from './start-retention.ts'

export interface ServiceWorkersOptions {
  readonly databaseUrl: string
  /** Whether this process also serves requests. */
  readonly role: 'worker' | 'all'
  readonly clocks: ClockComparison
  readonly parts: Parts & IdentityParts
  readonly changes: ChangeParts
  readonly webhooks: WebhookParts
  readonly rebalancing: Config['rebalancing']
  readonly securityEvents: SecurityEventRecorder
  /** What is deleted because of its age. */
  readonly retentions: readonly Retention[]
  readonly auditAnchors: Config['auditAnchors']
  readonly ramp: RampParts
  /** Undefined in live. */
  readonly sandbox: SandboxParts | undefined
  /** Undefined where no email is sent. */
  readonly mail: MailDeliveryParts | undefined
  readonly print: (line: string) => void
  /** Undefined: personal data is not erased by age. */
  readonly retentionDays: number | undefined
}

export interface ServiceWorkers {
  /**
   * Whether the first round of every chain is over: done, failed, or left to another process. False after ten seconds: a
   * chain with hours to catch up does not delay requests.
   */
  readonly firstRound: Promise<boolean>
  report(): WorkReport
  /** The operational wallets with the least gas by chain, if this process measures them. */
  gasRunway(): readonly GasRunway[]
  readonly deletedRows: DeletedRows
  stop(): Promise<void>
}

const GAS_JOB = 'measure gas'

/** Starts the work without a request: one follower per chain, expiry, rebalancing, deliveries, sweeps. */
export function startWorkers({
  databaseUrl,
  role,
  clocks,
  parts,
  changes,
  webhooks,
  rebalancing,
  securityEvents,
  retentions,
  auditAnchors,
  ramp,
  sandbox,
  mail,
  print,
  retentionDays,
}: ServiceWorkersOptions): ServiceWorkers {
  const periodic = createPeriodicRunner({ databaseUrl, log: parts.log, clock: parts.clock, clocks })
  const endByTime = (job: string, seconds: number, end: () => Promise<unknown>) =>
    periodic.every(job, seconds, async () => void (await end()), { endsByTime: true })
  const first = [...parts.chains.values()].map((chain) => {
    const { blockchain } = chain.network
    const embedded = sandbox?.sandbox.get(blockchain)
    if (sandbox && embedded) periodic.every(`resend on ${blockchain}`, 10, () => resendStored(sandbox, embedded))
    // Each lease starts from the database: another process may have followed meanwhile.
    let current: { readonly lease: JobLease; readonly follower: Follower } | undefined
    const followerUnder = (lease: JobLease): Follower => {
      if (current?.lease === lease) return current.follower
      const leased = { ...parts, db: lease.database(parts.db) }
      const follower = createFollower(leased, chain, {
        isDevelopment: embedded !== undefined,
        print,
        ramp: { ...ramp, db: leased.db },
        onReset: (name) => deleteTreasurySends(leased, name),
      })
      current = { lease, follower }
      return follower
    }
    return periodic.every(
      `follow ${blockchain}`,
      embedded ? EMBEDDED_CHAIN_POLL_SECONDS : CHAIN_POLL_SECONDS,
      (signal, lease) => followerUnder(lease).round(signal),
      { group: 'chains', progress: () => current?.follower.progress() ?? {} },
    )
  })
  periodic.every('banking provider', SANDBOX_TRANSFERS_POLL_SECONDS, () => runProviderWork(ramp))
  if (retentionDays !== undefined) {
    endByTime('erase personal data', ERASURE_SECONDS, async () => {
      await eraseExpiredRecipients(ramp, retentionDays * 86_400_000)
      await requestExpiredErasures(parts, retentionDays * 86_400_000)
    })
  }
  const erasure = { ...parts, steps: erasureSteps(changes), securityEvents }
  let erasedAt: Date | undefined
  const moved = () => {
    erasedAt = parts.clock.now()
  }
  const eraseSome = async (signal: AbortSignal) => {
    await eraseRequested(erasure, { signal, moved })
  }
  periodic.every('erase organizations', ERASURE_CHECK_SECONDS, eraseSome, { progress: () => ({ at: erasedAt }) })
  periodic.every('seal personal data', SEAL_CLEAR_FIELDS_SECONDS, async (signal) => {
    while (!signal.aborted && (await sealClearFields(ramp)) > 0);
    while (!signal.aborted && (await eraseStaleKybAnswers(ramp)) > 0);
  })
  endByTime('expire operations', 1, () => expireOverdue(parts))
  endByTime('abort overdue operations', 60, () => abortOverdueOperations(parts))
  const rebalancer = { ...parts, rebalancing }
  periodic.everywhere('rebalance', REBALANCE_POLL_SECONDS, async (signal, moved) => {
    while (!signal.aborted && (await evaluateDueWallets(rebalancer, { signal, moved })) > 0);
  })
  periodic.every('evaluate circuit breakers', BREAKERS_POLL_SECONDS, async () => {
    await evaluateBreakers(parts)
  })
  periodic.every('screen operational wallets', rebalancing.interval, async (signal) => {
    await scheduleDriftedWallets(parts.db, parts.chains, { settings: rebalancing, now: parts.clock.now(), signal })
  })
  let gas: { readonly lease: JobLease; readonly meter: ReturnType<typeof createGasMeter> } | undefined
  periodic.every(GAS_JOB, GAS_POLL_SECONDS, async (_signal, lease) => {
    if (gas?.lease !== lease) gas = { lease, meter: createGasMeter(parts) }
    await gas.meter.round()
  })
  endByTime('end withheld work of agents', 5, () => failWithheldOperations(parts))
  endByTime('offer stuck transactions again', 2, () => offerStuckTransactions(parts))
  endByTime('end abandoned work of agents', 600, () => abortAbandonedOperations(parts))
  periodic.every('fold tallies', 10, async () => {
    await compactCounters(parts.db)
  })
  periodic.every('make partitions', MAKE_PARTITIONS_SECONDS, (signal) => makePartitions(parts, signal))
  const delivers = periodic.alongside('deliver webhooks', WEBHOOK_POLL_INTERVAL_MS / 1_000)
  const deliverer = createDeliveryWorker(webhooks, delivers)
  deliverer.start()
  const relay = startRelay(periodic, webhooks, { role, onRelayed: deliverer.nudge })
  endByTime('disable failing webhooks', 60, () => disableFailingWebhooks(webhooks))
  periodic.every('fail deliveries of stopped webhooks', 1, async (signal) => {
    await failStoppedDeliveries(webhooks, signal)
  })
  endByTime('expire change requests', 60, () => expireChangeRequests({ ...changes, log: parts.log }))
  if (mail) startMailWork(periodic, parts, changes, mail)
  periodic.every('chain audit entries', AUDIT_CHAINING_SECONDS, async (signal) => {
    await chainAuditEntries(parts.db, signal)
  })
  if (auditAnchors) {
    const anchoring = { ...parts, publishers: anchorPublishers(auditAnchors, { ...parts, rules: webhooks.rules }) }
    periodic.every('anchor audit heads', AUDIT_ANCHOR_CHECK_SECONDS, (_signal, lease) =>
      anchorAuditHeads({ ...anchoring, db: lease.database(parts.db) }, auditAnchors.intervalMs),
    )
  }
  const deletedRows = startRetention(periodic, parts, retentions)
  return {
    deletedRows,
    firstRound: settlesWithin(Promise.all(first), FIRST_ROUND_TIMEOUT_MS),
    report: () => periodic.report(),
    gasRunway() {
      const { workerId, jobs } = periodic.report()
      const isOwn = jobs.some((held) => held.job === GAS_JOB && held.workerId === workerId)
      return isOwn && gas ? gas.meter.lowest() : []
    },
    stop: async () => {
      relay.stop()
      await Promise.all([periodic.stop(), deliverer.stop()])
    },
  }
}

/** Whether the jobs of this process make progress, and its leases are renewed. */
export function makesProgress({ stalled, renewedMs }: WorkReport): boolean {
  return stalled.length === 0 && renewedMs < WORK_STALLED_MS
}
