import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import { type Database, listenToMilestones, type Milestone, type OperationType } from '../../../database/index.ts'
import { agentHeartbeats } from '../../../identity/index.ts'
import { inStep, type Log } from '../../../kernel/index.ts'
import { OPERATION_FAILURE_REASONS, operationsBacklog, TRANSACTION_FAILURE_CODES } from '../../../operations/index.ts'
import { oldestOverdueEvaluation, oldestShortBuffer } from '../../../wallets/index.ts'
import { sharedRead } from './shared-read.ts'

/** Steps that end an operation, and the label of each. */
const OUTCOMES: Readonly<Record<string, string>> = {
  'operation settled': 'completed',
  'operation settled late': 'completed_late',
  'operation failed': 'failed',
  'operation expired': 'failed',
  'operation rejected': 'rejected',
  'operation cancelled': 'aborted',
  'operation superseded': 'aborted',
  'operation aborted': 'aborted',
}
const TYPES = ['SUPPLY', 'UNWIND', 'REVOKE'] as const satisfies OperationType[]
const FAILED_TRANSACTIONS = new Set(['transaction failed', 'transaction reverted'])

export interface MilestoneCounters {
  count(milestone: Milestone): void
  /**
   * Shows every failure that may come as 0: the first sample of a series that begins with a burst is no increase, so no
   * alert would see it. 9 series for operations and 8 for each chain.
   */
  showZeros(blockchains: Iterable<string>): void
}

/** Counts what this process committed, from its milestones. */
export function countMilestones(register: Registry): MilestoneCounters {
  const ended = new Counter({
    name: 'weir_operations_ended_total',
    help: 'Operations that this process ended, by outcome and failure reason (`none` if there is none).',
    labelNames: ['type', 'outcome', 'reason'] as const,
    registers: [register],
  })
  const failed = new Counter({
    name: 'weir_transactions_failed_total',
    help: 'Transactions that this process found failed, by failure code.',
    labelNames: ['blockchain', 'code'] as const,
    registers: [register],
  })
  const restored = new Histogram({
    name: 'weir_buffer_restored_seconds',
    help: 'Time from the evaluation that found a wallet below its buffer to the one that found it full again.',
    buckets: [5, 15, 30, 60, 120, 300, 600, 1_800, 3_600, 14_400, 86_400],
    registers: [register],
  })
  return {
    count({ name, facts }) {
      const outcome = OUTCOMES[name]
      if (outcome) ended.inc({ type: String(facts.type), outcome, reason: String(facts.reason ?? 'none') })
      else if (FAILED_TRANSACTIONS.has(name))
        failed.inc({ blockchain: String(facts.blockchain), code: String(facts.code) })
      else if (name === 'buffer restored') restored.observe(Number(facts.seconds))
    },
    showZeros(blockchains) {
      for (const type of TYPES)
        for (const reason of OPERATION_FAILURE_REASONS) ended.inc({ type, outcome: 'failed', reason }, 0)
      for (const blockchain of blockchains)
        for (const code of TRANSACTION_FAILURE_CODES) failed.inc({ blockchain, code }, 0)
    },
  }
}

/** Writes one log line for each milestone of this process, traces it, and counts it. */
export function observeMilestones(db: Database, log: Log, count: (milestone: Milestone) => void): void {
  listenToMilestones(db, (milestone) => {
    inStep({ ...milestone, isFirst: milestone.name === 'operation planned' }, () =>
      log.info(milestone.facts, milestone.name),
    )
    count(milestone)
  })
}

/** Gauges of what waits for people, agents and the rebalancer, from the database. NaN while it is unavailable. */
export function registerOperationMetrics(register: Registry, db: Database): void {
  const backlog = sharedRead(() => operationsBacklog(db, new Date()))
  const gauge = (name: string, help: string, read: () => Promise<number>) =>
    new Gauge({
      name,
      help,
      registers: [register],
      async collect() {
        this.set(await read().catch(() => Number.NaN))
      },
    })
  gauge(
    'weir_approval_oldest_seconds',
    'Age of the oldest operation that waits for approval.',
    async () => (await backlog()).approvalSeconds,
  )
  gauge(
    'weir_agent_work_oldest_seconds',
    'How long the oldest transaction has been ready for an agent, and no agent leased it.',
    async () => (await backlog()).agentWorkSeconds,
  )
  gauge(
    'weir_stuck_transaction_oldest_seconds',
    'How long ago the oldest transaction of an agent was submitted that ended with TIMEOUT and may still land.',
    async () => (await backlog()).stuckSeconds,
  )
  gauge(
    'weir_buffer_short_oldest_seconds',
    'Age of the oldest buffer shortfall.',
    sharedRead(() => oldestShortBuffer(db, new Date())),
  )
  gauge(
    'weir_evaluation_overdue_seconds',
    'How long the most overdue evaluation of an operational wallet has been due.',
    sharedRead(() => oldestOverdueEvaluation(db, new Date())),
  )
  const heartbeats = sharedRead(() => agentHeartbeats(db, new Date()))
  new Gauge({
    name: 'weir_agent_poll_age_seconds',
    help: 'How long ago the agent of a key last polled. 200 of the keys that polled in the last 7 days: organizations take turns, each with its longest silent.',
    labelNames: ['organization', 'key'] as const,
    registers: [register],
    async collect() {
      const agents = await heartbeats().catch(() => [])
      this.reset()
      for (const { organizationId, keyId, polledAt } of agents) {
        const seconds = Math.max(0, (Date.now() - polledAt.getTime()) / 1_000)
        this.set({ organization: String(organizationId), key: String(keyId) }, seconds)
      }
    },
  })
}
