import type { Tx } from '../../database/index.ts'
import { AGENT_REPORTS_STORED_MAX } from '../../kernel/index.ts'
import type { AgentReport, AgentWork } from '../lifecycle/states/agent-work.ts'

/** The stored report that equals this one, if there is one. */
export function findSameReport(
  { reports }: AgentWork,
  { status, txHash, error, leaseToken }: Omit<AgentReport, 'reportedAt'>,
): AgentReport | undefined {
  return reports.find(
    (previous) =>
      previous.status === status &&
      previous.txHash === txHash &&
      previous.error === error &&
      (previous.leaseToken === leaseToken || status === 'SUBMITTED'),
  )
}

/** The `error` of an operation's transactions after an agent reported a failure. */
export function agentFailureText(error: string): string {
  return `The agent reported: ${error}`
}

/** The same, from the latest stored report of a failure. */
export function lastFailureText({ reports }: AgentWork): string {
  const failed = reports.findLast(({ status }) => status === 'FAILED')
  return agentFailureText(failed?.error ?? 'it could not send the transaction.')
}

/** Stores a report with its transaction, whether or not it changes anything. */
export async function storeReport(tx: Tx, work: AgentWork, report: AgentReport): Promise<void> {
  const reports = [...work.reports, report].slice(-AGENT_REPORTS_STORED_MAX)
  await tx
    .updateTable('agent_work')
    .set({ report: JSON.stringify({ reports }), reported_at: report.reportedAt })
    .where('organization_id', '=', work.organizationId)
    .where('transaction_id', '=', work.transactionId)
    .execute()
}
