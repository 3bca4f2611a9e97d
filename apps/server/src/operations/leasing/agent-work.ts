import type { Selectable } from 'kysely'
import type { Database, Schema, Tx } from '../../database/index.ts'
import { AGENT_REPORTS_STORED_MAX, Failure } from '../../kernel/index.ts'
import { moveAgentWork } from '../lifecycle/move-agent-work.ts'

/** A transaction's place in the queue of agents, and what agents said of it. */
export type AgentWork = Selectable<Schema['agent_work']>

/** What an agent reported, and what it was answered. */
export interface AgentReport {
  readonly status: 'SUBMITTED' | 'FAILED'
  readonly txHash: string | null
  readonly error: string | null
  readonly leaseToken: string | null
  readonly reportedAt: Date
}

/** Error: TRANSACTION_NOT_FOUND, also for a client's transaction: agents never have one. */
export async function readAgentWork(
  db: Database | Tx,
  organizationId: number,
  transactionId: number,
): Promise<AgentWork> {
  const row = await db
    .selectFrom('agent_work')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('transaction_id', '=', transactionId)
    .executeTakeFirst()
  if (!row) throw new Failure('TRANSACTION_NOT_FOUND')
  return row
}

/** The lease is held: by whoever shows its token or, where it is the only one there ever was, by whoever shows none. */
export function isLeaseActive(work: AgentWork, leaseToken: string | undefined, now: Date): boolean {
  const runs =
    work.stage === 'leased' && work.claimed_at !== null && work.leased_until !== null && work.leased_until > now
  return runs && isCurrentLease(work, leaseToken)
}

/** The caller speaks of the last lease that there was; without a token only where there was no other (contract 9). */
export function isCurrentLease(work: AgentWork, leaseToken: string | undefined): boolean {
  if (work.issued_at === null) return false
  return leaseToken === undefined ? isFirstLease(work) : leaseToken === work.lease_token
}

/** Leases are counted anew with bytes that are built anew; whoever had the dead ones may still speak up. */
function isFirstLease({ lease_count, claimed_at, issued_at }: AgentWork): boolean {
  return lease_count === 1 && (claimed_at === null || claimed_at.getTime() === issued_at?.getTime())
}

/** The same report that was made before, with its answer. */
export function findSameReport(
  { report }: AgentWork,
  { status, txHash, error, leaseToken }: Omit<AgentReport, 'reportedAt'>,
): AgentReport | undefined {
  return parseReports(report).find(
    (made) =>
      made.status === status &&
      made.txHash === txHash &&
      made.error === error &&
      (made.leaseToken === leaseToken || status === 'SUBMITTED'),
  )
}

function parseReports(stored: AgentWork['report']): AgentReport[] {
  const made = (stored?.reports ?? []) as (Omit<AgentReport, 'reportedAt'> & { reportedAt: string })[]
  return made.map((report) => ({ ...report, reportedAt: new Date(report.reportedAt) }))
}

/** What the transactions of an operation read that an agent could not carry out. */
export function agentFailureText(error: string): string {
  return `The agent reported: ${error}`
}

/** That of the last report of a failure. */
export function lastFailureText(stored: AgentWork['report']): string {
  const failed = parseReports(stored).findLast(({ status }) => status === 'FAILED')
  return agentFailureText(failed?.error ?? 'it could not send the transaction.')
}

/** Keeps a report with its transaction, whatever it changes. */
export async function storeReport(tx: Tx, work: AgentWork, report: AgentReport): Promise<void> {
  const reports = [...parseReports(work.report), report].slice(-AGENT_REPORTS_STORED_MAX)
  await tx
    .updateTable('agent_work')
    .set({ report: JSON.stringify({ reports }), reported_at: report.reportedAt })
    .where('organization_id', '=', work.organization_id)
    .where('transaction_id', '=', work.transaction_id)
    .execute()
}

/** Nobody is given these bytes until they are dead or landed (rule 4). */
export async function withholdWork(tx: Tx, work: AgentWork, at: Date): Promise<void> {
  const key = { organizationId: work.organization_id, transactionId: work.transaction_id }
  await moveAgentWork(tx, key, { event: 'withheld', at })
}
