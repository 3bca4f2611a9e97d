import type { Selectable } from 'kysely'
import type { Database, Schema, Tx } from '../../database/index.ts'
import { AGENT_REPORTS_STORED_MAX, Failure } from '../../kernel/index.ts'
import { moveAgentWork } from '../lifecycle/move-agent-work.ts'

/** A transaction's place in the agents' queue, with the reports that agents made about it. */
export type AgentWork = Selectable<Schema['agent_work']>

/** An agent's report, which is also the response to it. */
export interface AgentReport {
  readonly status: 'SUBMITTED' | 'FAILED'
  readonly txHash: string | null
  readonly error: string | null
  readonly leaseToken: string | null
  readonly reportedAt: Date
}

/** Error: TRANSACTION_NOT_FOUND, also for a client's transaction, which has no agent work. */
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

/** Whether the caller holds an unexpired lease. The token may be omitted if this is the only lease ever granted. */
export function isLeaseActive(work: AgentWork, leaseToken: string | undefined, now: Date): boolean {
  const isUnexpired =
    work.stage === 'leased' && work.claimed_at !== null && work.leased_until !== null && work.leased_until > now
  return isUnexpired && isCurrentLease(work, leaseToken)
}

/** Whether the caller means the latest lease. The token may be omitted only if there was no other (contract 9). */
export function isCurrentLease(work: AgentWork, leaseToken: string | undefined): boolean {
  if (work.issued_at === null) return false
  return leaseToken === undefined ? isFirstLease(work) : leaseToken === work.lease_token
}

/** New bytes restart the lease count at one, yet an agent that leased the dead ones may still report. */
function isFirstLease({ lease_count, claimed_at, issued_at }: AgentWork): boolean {
  return lease_count === 1 && (claimed_at === null || claimed_at.getTime() === issued_at?.getTime())
}

/** The stored report that equals this one, if there is one. */
export function findSameReport(
  { report }: AgentWork,
  { status, txHash, error, leaseToken }: Omit<AgentReport, 'reportedAt'>,
): AgentReport | undefined {
  return parseReports(report).find(
    (previous) =>
      previous.status === status &&
      previous.txHash === txHash &&
      previous.error === error &&
      (previous.leaseToken === leaseToken || status === 'SUBMITTED'),
  )
}

function parseReports(stored: AgentWork['report']): AgentReport[] {
  const reports = (stored?.reports ?? []) as (Omit<AgentReport, 'reportedAt'> & { reportedAt: string })[]
  return reports.map((report) => ({ ...report, reportedAt: new Date(report.reportedAt) }))
}

/** The `error` of an operation's transactions after an agent reported a failure. */
export function agentFailureText(error: string): string {
  return `The agent reported: ${error}`
}

/** The same, from the latest stored report of a failure. */
export function lastFailureText(stored: AgentWork['report']): string {
  const failed = parseReports(stored).findLast(({ status }) => status === 'FAILED')
  return agentFailureText(failed?.error ?? 'it could not send the transaction.')
}

/** Stores a report with its transaction, whether or not it changes anything. */
export async function storeReport(tx: Tx, work: AgentWork, report: AgentReport): Promise<void> {
  const reports = [...parseReports(work.report), report].slice(-AGENT_REPORTS_STORED_MAX)
  await tx
    .updateTable('agent_work')
    .set({ report: JSON.stringify({ reports }), reported_at: report.reportedAt })
    .where('organization_id', '=', work.organization_id)
    .where('transaction_id', '=', work.transaction_id)
    .execute()
}

/** Keeps these bytes from every agent until they are dead or have landed (rule 4). */
export async function withholdWork(tx: Tx, work: AgentWork, at: Date): Promise<void> {
  const key = { organizationId: work.organization_id, transactionId: work.transaction_id }
  await moveAgentWork(tx, key, { event: 'withheld', at })
}
