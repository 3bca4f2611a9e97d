import { type Transact, transactOn } from '../../database/index.ts'
import { AGENT_ERROR_LENGTH_MAX, Failure } from '../../kernel/index.ts'
import { lockOperation } from '../lifecycle/lock-operation.ts'
import type { Parts } from '../lifecycle/parts.ts'
import {
  type AgentReport,
  agentFailureText,
  findSameReport,
  isCurrentLease,
  isLeaseActive,
  readAgentWork,
  storeReport,
  withholdWork,
} from './agent-work.ts'
import { endAgentOperation } from './end-agent-operation.ts'

export interface ReportFailed {
  readonly organizationId: number
  readonly transactionId: number
  readonly error: string
  readonly leaseToken?: string | undefined
}

/**
 * An agent says that it could not sign or send a transaction. By itself that proves nothing (rule 4):
 *
 * - These bytes were leased once and the lease is held: nobody else has them, and the operation fails at once.
 * - Leased once but lapsed, or held after several leases: others may have them. It is recorded, and nobody is given the
 *   transaction until its bytes are dead, when the operation fails, or landed.
 * - The lease passed to another, or no token tells which of several it was: LEASE_LOST, and nothing changes.
 * - The transaction was submitted, or its operation has ended: it is recorded; the chain decides.
 *
 * Bytes stay watched in every case. The same report twice gets the first answer again.
 *
 * Errors: TRANSACTION_NOT_FOUND, LEASE_LOST.
 */
export async function reportFailed(
  parts: Parts,
  input: ReportFailed,
  transact: Transact<AgentReport> = transactOn(parts.db),
): Promise<AgentReport> {
  const { organizationId, transactionId, leaseToken } = input
  const { operation_id: operationId } = await readAgentWork(parts.db, organizationId, transactionId)
  return transact(async (tx) => {
    const at = parts.clock.now()
    const operation = await lockOperation(tx, { organizationId, walletProfileId: null }, operationId)
    const work = await readAgentWork(tx, organizationId, transactionId)
    const error = input.error.slice(0, AGENT_ERROR_LENGTH_MAX)
    const said = { status: 'FAILED', txHash: null, error, leaseToken: leaseToken ?? null } as const
    const before = findSameReport(work, said)
    if (before) {
      return before
    }
    if (!isCurrentLease(work, leaseToken)) throw new Failure('LEASE_LOST')
    const report: AgentReport = { ...said, reportedAt: at }
    await storeReport(tx, work, report)
    const transaction = operation.transactions.find((candidate) => candidate.transactionId === transactionId)
    if (operation.state === 'EXECUTING' && transaction?.status === 'unsigned') {
      const isAlone = work.lease_count === 1 && isLeaseActive(work, leaseToken, at)
      if (isAlone) await endAgentOperation(tx, operation, 'agent_failed', agentFailureText(error), at)
      else await withholdWork(tx, work, at)
    }
    return report
  })
}
