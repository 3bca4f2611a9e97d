import { sql } from 'kysely'
import type { Database, Tx } from '../../database/index.ts'
import { type NewAuditEntry, queueAuditEntrySql } from '../../identity/index.ts'
import {
  AGENT_SIMULATION_FAILURE_WINDOW_MS,
  AGENT_SIMULATION_FAILURES_MAX,
  AGENT_SIMULATION_RETRY_MS,
  addMilliseconds,
} from '../../kernel/index.ts'
import type { Lease } from '../lifecycle/states/agent-work.ts'
import { advanceAgentWork } from '../lifecycle/transitions/advance-agent-work.ts'
import type { TransactionClaim } from './lease.ts'

/** The claim's row in the queue, as long as no other agent has claimed it. */
function claimedWork(db: Database | Tx, { organizationId, transactionId, leaseToken }: TransactionClaim) {
  return db
    .updateTable('agent_work')
    .where('organization_id', '=', organizationId)
    .where('transaction_id', '=', transactionId)
    .where('lease_token', '=', leaseToken)
    .where('stage', '=', 'leased')
}

/** Whether no other agent has claimed the work since. */
export async function isStillClaimed(
  tx: Tx,
  { organizationId, transactionId, leaseToken }: TransactionClaim,
): Promise<boolean> {
  const found = await tx
    .selectFrom('agent_work')
    .select('transaction_id')
    .where('organization_id', '=', organizationId)
    .where('transaction_id', '=', transactionId)
    .where('lease_token', '=', leaseToken)
    .where('stage', '=', 'leased')
    .executeTakeFirst()
  return found !== undefined
}

/** Returns a claimed transaction to the queue unchanged, because its chain is unavailable. */
export async function releaseClaim(db: Database | Tx, claim: TransactionClaim, at: Date): Promise<void> {
  const event = claim.wasIssued ? 'released_issued' : 'released_unissued'
  await advanceAgentWork(db, claim, { event, availableAt: at, reason: CHAIN_UNAVAILABLE_REASON })
}

export const CHAIN_UNAVAILABLE_REASON = 'The blockchain was unavailable at the last check.'

/**
 * Keeps a submitted transaction from every agent until the given time: it cannot be replaced now. Without a claim, no
 * matter which agent has it.
 */
export async function deferReplacement(
  db: Database | Tx,
  key: Pick<TransactionClaim, 'organizationId' | 'transactionId'> & { readonly leaseToken?: string },
  until: Date,
  reason: string,
): Promise<void> {
  await advanceAgentWork(db, key, { event: 'deferred', availableAt: until, reason })
}

/** Keeps a transaction from every agent until the given time; `reason` is for people. */
export async function pauseWork(
  db: Database | Tx,
  claim: TransactionClaim,
  until: Date,
  reason: string,
): Promise<void> {
  await advanceAgentWork(db, claim, { event: 'paused', availableAt: until, reason })
}

/**
 * Records that a simulation reverted or that the wallet holds too little. Schedules retries soon, because a node may
 * only lag, and a last one after five minutes. Returns whether this was the last attempt (rule 12).
 */
export async function recordFailedAttempt(tx: Tx, claim: TransactionClaim, at: Date, reason: string): Promise<boolean> {
  const recorded = await claimedWork(tx, claim)
    .set((row) => ({
      failed_check_count: row('failed_check_count', '+', 1),
      first_failed_check_at: row.fn.coalesce('first_failed_check_at', row.val(at)),
      pause_reason: reason,
    }))
    .returning(['failed_check_count', 'first_failed_check_at'])
    .executeTakeFirst()
  if (!recorded) return false
  const { failed_check_count: failures, first_failed_check_at: firstFailedAt } = recorded
  const windowEnd = addMilliseconds(firstFailedAt ?? at, AGENT_SIMULATION_FAILURE_WINDOW_MS)
  if (failures >= AGENT_SIMULATION_FAILURES_MAX && windowEnd <= at) return true
  const soon = addMilliseconds(at, AGENT_SIMULATION_RETRY_MS)
  const retryAt = failures < AGENT_SIMULATION_FAILURES_MAX - 1 || windowEnd < soon ? soon : windowEnd
  await pauseWork(tx, claim, retryAt, reason)
  return false
}

export interface NewLease {
  readonly claim: TransactionClaim
  readonly leaseDurationMs: number
  readonly isFirstIssue: boolean
  /** The bytes replace submitted ones, and no agent ever had them. */
  readonly isReplacement?: boolean
  readonly at: Date
}

/**
 * Turns a claim into a lease that begins now, just before its bytes are issued. `isFirstIssue`: no agent ever had these
 * bytes, so the lease count restarts at one (rule 4). `undefined`: the claim lapsed, or its work is done.
 */
export async function startLease(
  tx: Tx,
  { claim, leaseDurationMs, isFirstIssue, isReplacement = false, at }: NewLease,
): Promise<Lease | undefined> {
  const leasedUntil = addMilliseconds(at, leaseDurationMs)
  const update = claimedWork(tx, claim)
    .where('leased_until', '>', at)
    .set((row) => ({
      claimed_at: at,
      leased_until: leasedUntil,
      available_at: leasedUntil,
      issued_at: row.fn.coalesce('issued_at', row.val(at)),
      lease_count: isFirstIssue ? 1 : row('lease_count', '+', 1),
      failed_check_count: 0,
      first_failed_check_at: null,
      pause_reason: null,
      ...(isReplacement && { replacement_issued_at: at }),
    }))
    .returning('transaction_id')
  const { rows } = await sql`
    with leased as (${update}), audited as (${queueAuditEntrySql(auditEntryOf(claim, at), { from: sql`from leased` })})
    select from leased
  `.execute(tx)
  return rows.length === 0 ? undefined : { leaseToken: claim.leaseToken, claimedAt: at, leasedUntil }
}

/** An entry of the audit log for a poll that leased something; none without work. */
function auditEntryOf({ organizationId, transactionId, agent }: TransactionClaim, at: Date): NewAuditEntry | undefined {
  if (agent?.request === undefined) return undefined
  const { type, id, request } = agent
  return { organizationId, actor: { type, id }, ...request, objectType: 'transaction', objectId: transactionId, at }
}
