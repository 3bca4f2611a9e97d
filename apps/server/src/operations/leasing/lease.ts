import type { AuditedActor } from '../../identity/index.ts'
import { type AgentWork, type IssueRecord, issueRecordOf, type Lease } from '../lifecycle/states/agent-work.ts'

/** A transaction that was selected for an agent, while its bytes are being prepared. */
export interface TransactionClaim {
  readonly organizationId: number
  readonly transactionId: number
  readonly operationId: number
  readonly blockchain: string
  readonly leaseToken: string
  /** Whether its bytes were issued to an agent before. */
  readonly wasIssued: boolean
  /** Who polled; absent in tests and tools, whose leases are not audited. */
  readonly agent?: AuditedActor
}

/**
 * The caller's lease, if it has not lapsed; `undefined` otherwise. The token may be omitted if this is the only lease
 * ever granted.
 */
export function activeLease(work: AgentWork, leaseToken: string | undefined, now: Date): Lease | undefined {
  if (work.stage !== 'leased' || !work.lease || work.lease.leasedUntil <= now) return undefined
  return isCurrentLease(work, leaseToken) ? work.lease : undefined
}

/** Whether the caller means the latest lease. The token may be omitted only if there was no other (contract 9). */
export function isCurrentLease(work: AgentWork, leaseToken: string | undefined): boolean {
  const issued = issueRecordOf(work)
  if (!issued) return false
  return leaseToken === undefined ? isFirstLease(issued) : leaseToken === issued.leaseToken
}

/** New bytes restart the lease count at one, yet an agent that leased the dead ones may still report. */
function isFirstLease({ leaseCount, claimedAt, firstIssuedAt }: IssueRecord): boolean {
  return leaseCount === 1 && (claimedAt === null || claimedAt.getTime() === firstIssuedAt.getTime())
}
