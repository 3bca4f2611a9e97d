import { type Transact, transactOn } from '../../database/index.ts'
import { AGENT_ERROR_LENGTH_MAX, Failure, truncate } from '../../kernel/index.ts'
import type { Parts } from '../lifecycle/parts.ts'
import { lockOperation } from '../lifecycle/reads/lock-operation.ts'
import { readAgentWork } from '../lifecycle/reads/read-agent-work.ts'
import { type AgentReport, issueRecordOf } from '../lifecycle/states/agent-work.ts'
import { advanceAgentWork } from '../lifecycle/transitions/advance-agent-work.ts'
import { agentFailureText, findSameReport, storeReport } from './agent-reports.ts'
import { endAgentOperation } from './end-agent-operation.ts'
import { activeLease, isCurrentLease } from './lease.ts'
import { nextReplacementAt } from './next-replacement-at.ts'
import { deferReplacement } from './start-lease.ts'

export interface ReportFailed {
  readonly organizationId: number
  readonly transactionId: number
  readonly error: string
  readonly leaseToken?: string | undefined
}

/**
 * An agent reports that it could not sign or send a transaction. The report alone proves nothing (rule 4):
 *
 * - The bytes were leased once and the lease is active: no one else has them, and the operation fails at once.
 * - The only lease lapsed, or there were several: others may have the bytes. The report is stored and the transaction
 *   is withheld until its bytes have landed or are dead; if they are dead, the operation fails.
 * - The lease passed to another agent, or no token identifies one of several: LEASE_LOST, and nothing changes.
 * - The transaction was submitted, or its operation has ended: the report is stored; the chain decides. If the bytes
 *   were a replacement, the next one is issued later, with fees above theirs.
 *
 * Bytes stay tracked in every case. Repeating a report returns the first result.
 *
 * Errors: TRANSACTION_NOT_FOUND, LEASE_LOST.
 */
export async function reportFailed(
  parts: Parts,
  input: ReportFailed,
  transact: Transact<AgentReport> = transactOn(parts.db),
): Promise<AgentReport> {
  const { organizationId, transactionId, leaseToken } = input
  const { operationId } = await readAgentWork(parts.db, organizationId, transactionId)
  return transact(async (tx) => {
    const at = parts.clock.now()
    const operation = await lockOperation(tx, { organizationId, walletProfileId: null }, operationId)
    const work = await readAgentWork(tx, organizationId, transactionId)
    const error = truncate(input.error, AGENT_ERROR_LENGTH_MAX)
    const content = { status: 'FAILED', txHash: null, error, leaseToken: leaseToken ?? null } as const
    const previous = findSameReport(work, content)
    if (previous) return previous
    if (!isCurrentLease(work, leaseToken)) throw new Failure('LEASE_LOST')
    const report: AgentReport = { ...content, reportedAt: at }
    await storeReport(tx, work, report)
    const transaction = operation.transactions.find((candidate) => candidate.transactionId === transactionId)
    if (operation.state === 'EXECUTING' && transaction?.status === 'unsigned') {
      const isOnlyHolder = issueRecordOf(work)?.leaseCount === 1 && activeLease(work, leaseToken, at) !== undefined
      if (isOnlyHolder)
        await endAgentOperation(tx, { operation, event: 'agent_failed', explanation: agentFailureText(error), at })
      // Nobody gets these bytes again until they are dead or have landed.
      else await advanceAgentWork(tx, { organizationId, transactionId }, { event: 'withheld', at, by: 'agent' })
    } else if (transaction?.state === 'submitted') {
      await deferReplacement(tx, { organizationId, transactionId }, nextReplacementAt(parts), agentFailureText(error))
    }
    return report
  })
}
