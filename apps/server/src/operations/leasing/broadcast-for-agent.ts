import { extendTransact, type Transact, type Tx, transactOn } from '../../database/index.ts'
import type { AuditedActor } from '../../identity/index.ts'
import { Failure } from '../../kernel/index.ts'
import { getOperation } from '../lifecycle/conflicts/get-operation.ts'
import type { Parts } from '../lifecycle/parts.ts'
import { readAgentWork } from '../lifecycle/reads/read-agent-work.ts'
import { type AgentReport, issueRecordOf } from '../lifecycle/states/agent-work.ts'
import { submitSignedForOperation } from '../submission/submit-signed.ts'
import type { SubmissionResult } from '../transactions/broadcast-stored-bytes.ts'
import { findSameReport, storeReport } from './agent-reports.ts'

export interface BroadcastForAgent {
  readonly organizationId: number
  readonly transactionId: number
  readonly signedTransaction: string
  readonly leaseToken?: string | undefined
  /** The agent, for the audit log. */
  readonly by?: AuditedActor | undefined
}

/**
 * Broadcasts what an agent signed, for organizations without a node endpoint. As for a client, the bytes are checked
 * against the plan, stored before they are sent, and tracked (contract 6, rule 5). The call counts as a SUBMITTED
 * report and, like one, needs no active lease: the bytes are the same for every agent.
 *
 * Errors: TRANSACTION_NOT_FOUND, LEASE_LOST (it was never issued), and those of {@link submitSignedForOperation}.
 */
export async function broadcastForAgent(
  parts: Parts,
  input: BroadcastForAgent,
  transact: Transact<AgentReport> = transactOn(parts.db),
): Promise<AgentReport> {
  const { organizationId, transactionId, signedTransaction } = input
  const scope = { organizationId, walletProfileId: null }
  const work = await readAgentWork(parts.db, organizationId, transactionId)
  if (!issueRecordOf(work))
    throw new Failure('LEASE_LOST', { message: 'This transaction was never issued to an agent.' })
  const operation = await getOperation(parts, scope, work.operationId)
  const audited = input.by && ({ by: input.by, objectType: 'transaction' } as const)
  const submission = { scope, operationId: work.operationId, transactionId, signedTransaction, audited }
  let report: AgentReport | undefined
  const withReport = extendTransact(transact, async (tx, { txHash }: SubmissionResult) => {
    report = await storeSubmittedReport(tx, input, txHash, parts.clock.now())
    return report
  })
  const submitted = await withoutRefreshHint(() => submitSignedForOperation(parts, operation, submission, withReport))
  return report ?? (await readSubmittedReport(parts, input, submitted))
}

async function storeSubmittedReport(tx: Tx, input: BroadcastForAgent, txHash: string, at: Date): Promise<AgentReport> {
  const work = await readAgentWork(tx, input.organizationId, input.transactionId)
  const content = { status: 'SUBMITTED', txHash, error: null, leaseToken: input.leaseToken ?? null } as const
  const previous = findSameReport(work, content)
  if (previous) return previous
  const report: AgentReport = { ...content, reportedAt: at }
  await storeReport(tx, work, report)
  return report
}

/** The report of an earlier submission, made by such a request, by a report, or by the follower. */
async function readSubmittedReport(
  parts: Parts,
  input: BroadcastForAgent,
  { txHash }: SubmissionResult,
): Promise<AgentReport> {
  const work = await readAgentWork(parts.db, input.organizationId, input.transactionId)
  const content = { status: 'SUBMITTED', txHash, error: null, leaseToken: input.leaseToken ?? null } as const
  return findSameReport(work, content) ?? { ...content, reportedAt: work.lastReportedAt ?? parts.clock.now() }
}

/** Agents get new bytes with their next poll; the URL in `details.refresh` is for clients. */
async function withoutRefreshHint<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Failure) || error.details?.refresh === undefined) throw error
    throw new Failure(error.code, { message: 'These bytes can no longer land. Poll for new ones.' })
  }
}
