import type { Selectable } from 'kysely'
import type { AgentStage, Schema } from '../../../database/index.ts'
import { assert } from '../../../kernel/index.ts'

/** An agent's exclusive hold on a transaction until `leasedUntil`, proved with `leaseToken`. */
export interface Lease {
  readonly leaseToken: string
  readonly claimedAt: Date
  readonly leasedUntil: Date
}

/** An agent's report, which is also the response to it. */
export interface AgentReport {
  readonly status: 'SUBMITTED' | 'FAILED'
  readonly txHash: string | null
  readonly error: string | null
  readonly leaseToken: string | null
  readonly reportedAt: Date
}

/** The fields that agent work has in every stage. */
interface WorkIdentity {
  readonly organizationId: number
  readonly transactionId: number
  readonly operationId: number
  /** The transaction's place within its operation. */
  readonly position: number
  readonly blockchain: string
  /** The reports about the transaction, oldest first. An agent may report in every stage, however late. */
  readonly reports: readonly AgentReport[]
  readonly lastReportedAt: Date | null
}

/** Agents have had its bytes. */
export interface IssueRecord {
  readonly firstIssuedAt: Date
  /** How many leases the current bytes have had. */
  readonly leaseCount: number
  /** The token of the latest claim, which may not be a lease yet. */
  readonly leaseToken: string
  /** When the latest lease began; `null`: unknown, because an earlier version claimed the work since. */
  readonly claimedAt: Date | null
}

/** Its bytes may have been issued before; `null`: never. */
interface MaybeIssued {
  readonly issued: IssueRecord | null
}

interface Replacing {
  /** When a replacement of its submitted transaction was issued that no agent has reported; `null`: none. */
  readonly replacementIssuedAt: Date | null
}

interface Claimable {
  /** From when an agent may claim it. */
  readonly availableAt: Date
  /** Why the latest check did not issue its bytes, for people; `null` if nothing blocked it. */
  readonly pauseReason: string | null
}

/** An agent reported FAILED, or a circuit breaker or limit stopped the deployment; `reason` is for people. */
type Withheld = { readonly withheldBy: 'agent' } | { readonly withheldBy: 'weir'; readonly reason: string }

interface Stages {
  waiting: object
  ready: Claimable
  /** `lease`: `null` while the bytes are being prepared. */
  leased: Claimable & MaybeIssued & Replacing & { readonly lease: Lease | null }
  paused: Claimable & MaybeIssued & Replacing
  withheld: { readonly issued: IssueRecord; readonly withheldAt: Date } & Withheld
  sent: MaybeIssued
  done: MaybeIssued
}

/** Agent work in one stage, with the fields that exist in it. */
export type AgentWorkIn<Stage extends AgentStage> = {
  [Each in Stage]: WorkIdentity & { readonly stage: Each } & Stages[Each]
}[Stage]

/** A transaction's place in the agents' queue; its stage determines which other fields it has. */
export type AgentWork = AgentWorkIn<AgentStage>

/** The issue of its bytes to agents, `null` if no agent has had them. */
export function issueRecordOf(work: AgentWork): IssueRecord | null {
  return work.stage === 'waiting' || work.stage === 'ready' ? null : work.issued
}

/** Whether agents have bytes that replace its submitted transaction, and none has reported them. */
export function isReplacementIssued(work: AgentWork): boolean {
  return (work.stage === 'leased' || work.stage === 'paused') && work.replacementIssuedAt !== null
}

/** Stored agent work: the only reader of its rows. */
export function agentWorkFrom(row: Selectable<Schema['agent_work']>): AgentWork {
  const identity: WorkIdentity = {
    organizationId: row.organization_id,
    transactionId: row.transaction_id,
    operationId: row.operation_id,
    position: row.position,
    blockchain: row.blockchain,
    reports: reportsFrom(row.report),
    lastReportedAt: row.reported_at,
  }
  const { stage, replacement_issued_at: replacementIssuedAt } = row
  const claimable: Claimable = { availableAt: row.available_at, pauseReason: row.pause_reason }
  const issued = issueRecordFrom(row)
  switch (stage) {
    case 'waiting':
      return { ...identity, stage }
    case 'ready':
      return { ...identity, ...claimable, stage }
    case 'leased':
      return { ...identity, ...claimable, stage, issued, replacementIssuedAt, lease: leaseFrom(row) }
    case 'paused':
      return { ...identity, ...claimable, stage, issued, replacementIssuedAt }
    case 'withheld':
      assert(issued && row.withheld_at, 'only issued bytes are withheld')
      return { ...identity, stage, issued, withheldAt: row.withheld_at, ...withheldFrom(row) }
    case 'sent':
    case 'done':
      return { ...identity, stage, issued }
  }
}

/** Processes of earlier versions do not store who withheld it; they store a reason only if Weir did. */
function withheldFrom({ withheld_by: by, pause_reason: reason }: Selectable<Schema['agent_work']>): Withheld {
  return by === 'agent' || reason === null ? { withheldBy: 'agent' } : { withheldBy: 'weir', reason }
}

type StoredLease = Pick<
  Selectable<Schema['agent_work']>,
  'issued_at' | 'lease_count' | 'lease_token' | 'claimed_at' | 'leased_until' | 'last_lease_token' | 'last_leased_at'
>

/** A claim overwrites the token; until it becomes a lease, the lease before it is the latest. */
function issueRecordFrom(row: StoredLease): IssueRecord | null {
  const { issued_at: firstIssuedAt, lease_count: leaseCount } = row
  if (firstIssuedAt === null) return null
  // Rows that an earlier version claimed have no last lease.
  const leaseToken = row.claimed_at === null ? (row.last_lease_token ?? row.lease_token) : row.lease_token
  assert(leaseToken !== null, 'issued bytes were leased')
  return { firstIssuedAt, leaseCount, leaseToken, claimedAt: row.claimed_at ?? row.last_leased_at }
}

/** A claim becomes a lease when its bytes are issued, which sets `claimed_at`. */
function leaseFrom({ lease_token, claimed_at, leased_until }: StoredLease): Lease | null {
  if (lease_token === null || claimed_at === null || leased_until === null) return null
  return { leaseToken: lease_token, claimedAt: claimed_at, leasedUntil: leased_until }
}

function reportsFrom(stored: Selectable<Schema['agent_work']>['report']): AgentReport[] {
  const reports = (stored?.reports ?? []) as (Omit<AgentReport, 'reportedAt'> & { reportedAt: string })[]
  return reports.map((report) => ({ ...report, reportedAt: new Date(report.reportedAt) }))
}
