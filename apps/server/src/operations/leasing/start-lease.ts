import type { Database, Tx } from '../../database/index.ts'
import {
  AGENT_SIMULATION_FAILURE_WINDOW_MS,
  AGENT_SIMULATION_FAILURES_MAX,
  AGENT_SIMULATION_RETRY_MS,
  addMilliseconds,
} from '../../kernel/index.ts'
import { moveAgentWork } from '../lifecycle/move-agent-work.ts'
import type { Lease, TransactionClaim } from './lease.ts'

/** The queue's row of a claim, as long as nobody else has it. */
function claimedWork(db: Database | Tx, { organizationId, transactionId, leaseToken }: TransactionClaim) {
  return db
    .updateTable('agent_work')
    .where('organization_id', '=', organizationId)
    .where('transaction_id', '=', transactionId)
    .where('lease_token', '=', leaseToken)
    .where('stage', '=', 'leased')
}

/** Gives a claimed transaction back as it was: its chain does not answer, and nothing about it is known. */
export async function releaseClaim(db: Database | Tx, claim: TransactionClaim, at: Date): Promise<void> {
  const event = claim.wasIssued ? 'released_issued' : 'released_unissued'
  await moveAgentWork(db, claim, { event, availableAt: at, because: CHAIN_UNAVAILABLE_REASON })
}

const CHAIN_UNAVAILABLE_REASON = 'The blockchain did not answer when it was last looked at.'

/** Nobody is given it for a while; `because` is for people who ask why. */
export async function pauseWork(
  db: Database | Tx,
  claim: TransactionClaim,
  until: Date,
  because: string,
): Promise<void> {
  await moveAgentWork(db, claim, { event: 'paused', availableAt: until, because })
}

/**
 * Its simulation reverted, or its wallet holds too little. Tries again soon, because a node may only lag, then when five
 * minutes are over; returns whether that was the last try (rule 12).
 */
export async function recordFailedAttempt(
  tx: Tx,
  claim: TransactionClaim,
  at: Date,
  because: string,
): Promise<boolean> {
  const noted = await claimedWork(tx, claim)
    .set((row) => ({
      failed_check_count: row('failed_check_count', '+', 1),
      first_failed_check_at: row.fn.coalesce('first_failed_check_at', row.val(at)),
      pause_reason: because,
    }))
    .returning(['failed_check_count', 'first_failed_check_at'])
    .executeTakeFirst()
  if (!noted) return false
  const { failed_check_count: times, first_failed_check_at: first } = noted
  const last = addMilliseconds(first ?? at, AGENT_SIMULATION_FAILURE_WINDOW_MS)
  if (times >= AGENT_SIMULATION_FAILURES_MAX && last <= at) return true
  const soon = addMilliseconds(at, AGENT_SIMULATION_RETRY_MS)
  await pauseWork(tx, claim, times < AGENT_SIMULATION_FAILURES_MAX - 1 || last < soon ? soon : last, because)
  return false
}

/**
 * Turns a claim into a lease that begins now, because its bytes are about to leave. `isAnew`: no agent ever had these
 * very bytes, and the leases are counted from one (rule 4). `undefined`: the claim lapsed, or its work is done.
 */
export async function startLease(
  tx: Tx,
  claim: TransactionClaim,
  leaseDurationMs: number,
  isAnew: boolean,
  at: Date,
): Promise<Lease | undefined> {
  const leasedUntil = addMilliseconds(at, leaseDurationMs)
  const kept = await claimedWork(tx, claim)
    .where('leased_until', '>', at)
    .set((row) => ({
      claimed_at: at,
      leased_until: leasedUntil,
      available_at: leasedUntil,
      issued_at: row.fn.coalesce('issued_at', row.val(at)),
      lease_count: isAnew ? 1 : row('lease_count', '+', 1),
      failed_check_count: 0,
      first_failed_check_at: null,
      pause_reason: null,
    }))
    .returning('transaction_id')
    .executeTakeFirst()
  return kept && { leaseToken: claim.leaseToken, claimedAt: at, leasedUntil }
}
