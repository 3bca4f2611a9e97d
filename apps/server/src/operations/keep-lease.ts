import type { Database, Tx } from '../database/index.ts'
import { AGENT_REFUSED_MS, AGENT_REFUSED_TIMES, AGENT_SECOND_LOOK_MS, later } from '../kernel/index.ts'
import type { Claim, Lease } from './agent-lease.ts'

/** The queue's row of a claim, as long as nobody else has it. */
function ownRow(db: Database | Tx, { organizationId, transactionId, leaseToken }: Claim) {
  return db
    .updateTable('agent_work')
    .where('organization_id', '=', organizationId)
    .where('transaction_id', '=', transactionId)
    .where('lease_token', '=', leaseToken)
    .where('stage', '=', 'leased')
}

/** Gives a claimed transaction back as it was: its chain does not answer, and nothing about it is known. */
export async function giveBack(db: Database | Tx, claim: Claim, at: Date): Promise<void> {
  const stage = claim.wasHandedOut ? 'paused' : 'ready'
  await ownRow(db, claim).set({ stage, available_at: at, leased_until: null, paused_because: SILENT }).execute()
}

const SILENT = 'The blockchain did not answer when it was last looked at.'

/** Nobody is given it for a while; `because` is for people who ask why. */
export async function pauseWork(db: Database | Tx, claim: Claim, until: Date, because: string): Promise<void> {
  await ownRow(db, claim)
    .set({ stage: 'paused', available_at: until, leased_until: null, paused_because: because })
    .execute()
}

/**
 * Its simulation reverted, or its wallet holds too little. Tries again soon, because a node may only lag, then when five
 * minutes are over; returns whether that was the last try (money-rules 12).
 */
export async function noteRefused(tx: Tx, claim: Claim, at: Date, because: string): Promise<boolean> {
  const noted = await ownRow(tx, claim)
    .set((row) => ({
      refused_count: row('refused_count', '+', 1),
      first_refused_at: row.fn.coalesce('first_refused_at', row.val(at)),
      paused_because: because,
    }))
    .returning(['refused_count', 'first_refused_at'])
    .executeTakeFirst()
  if (!noted) return false
  const { refused_count: times, first_refused_at: first } = noted
  const last = later(first ?? at, AGENT_REFUSED_MS)
  if (times >= AGENT_REFUSED_TIMES && last <= at) return true
  const soon = later(at, AGENT_SECOND_LOOK_MS)
  await pauseWork(tx, claim, times < AGENT_REFUSED_TIMES - 1 || last < soon ? soon : last, because)
  return false
}

/**
 * Turns a claim into a lease that begins now, because its bytes are about to leave. `isAnew`: no agent ever had these
 * very bytes, and the leases are counted from one (money-rules 4). `undefined`: the claim lapsed, or its work is done.
 */
export async function keepLease(
  tx: Tx,
  claim: Claim,
  leaseDurationMs: number,
  isAnew: boolean,
  at: Date,
): Promise<Lease | undefined> {
  const leasedUntil = later(at, leaseDurationMs)
  const kept = await ownRow(tx, claim)
    .where('leased_until', '>', at)
    .set((row) => ({
      claimed_at: at,
      leased_until: leasedUntil,
      available_at: leasedUntil,
      handed_out_at: row.fn.coalesce('handed_out_at', row.val(at)),
      lease_count: isAnew ? 1 : row('lease_count', '+', 1),
      refused_count: 0,
      first_refused_at: null,
      paused_because: null,
    }))
    .returning('transaction_id')
    .executeTakeFirst()
  return kept && { leaseToken: claim.leaseToken, claimedAt: at, leasedUntil }
}
