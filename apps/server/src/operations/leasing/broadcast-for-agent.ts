import { extendTransact, type Transact, type Tx, transactOn } from '../../database/index.ts'
import { Failure } from '../../kernel/index.ts'
import { getOperation } from '../lifecycle/get-operation.ts'
import type { Parts } from '../lifecycle/parts.ts'
import { type SubmissionResult, submitSignedForOperation } from '../submission/submit-signed.ts'
import { type AgentReport, findSameReport, readAgentWork, storeReport } from './agent-work.ts'

export interface BroadcastForAgent {
  readonly organizationId: number
  readonly transactionId: number
  readonly signedTransaction: string
  readonly leaseToken?: string | undefined
}

/**
 * Sends what an agent signed, for organizations without an endpoint of their own: stored before it is sent, checked
 * against the plan, and tracked, as a client's (contract 6, rule 5). It stands for a SUBMITTED report, and like
 * one it does not ask who holds the lease: the bytes are the same for everybody.
 *
 * Errors: TRANSACTION_NOT_FOUND, LEASE_LOST (it was never handed out), and those of {@link submitSignedForOperation}.
 */
export async function broadcastForAgent(
  parts: Parts,
  input: BroadcastForAgent,
  transact: Transact<AgentReport> = transactOn(parts.db),
): Promise<AgentReport> {
  const { organizationId, transactionId, signedTransaction } = input
  const scope = { organizationId, walletProfileId: null }
  const work = await readAgentWork(parts.db, organizationId, transactionId)
  if (work.issued_at === null) throw new Failure('LEASE_LOST', { message: 'This transaction was never handed out.' })
  const operation = await getOperation(parts, scope, work.operation_id)
  const asked = { scope: scope, operationId: work.operation_id, transactionId, signedTransaction }
  let report: AgentReport | undefined
  const withReport = extendTransact(transact, async (tx, { txHash }: SubmissionResult) => {
    report = await storeSubmittedReport(tx, input, txHash, parts.clock.now())
    return report
  })
  const submitted = await withoutRefreshHint(() => submitSignedForOperation(parts, operation, asked, withReport))
  return report ?? (await readSubmittedReport(parts, input, submitted))
}

async function storeSubmittedReport(tx: Tx, input: BroadcastForAgent, txHash: string, at: Date): Promise<AgentReport> {
  const work = await readAgentWork(tx, input.organizationId, input.transactionId)
  const said = { status: 'SUBMITTED', txHash, error: null, leaseToken: input.leaseToken ?? null } as const
  const before = findSameReport(work, said)
  if (before) return before
  const report: AgentReport = { ...said, reportedAt: at }
  await storeReport(tx, work, report)
  return report
}

/** What was submitted before, whether by such a request, a report, or the watcher. */
async function readSubmittedReport(
  parts: Parts,
  input: BroadcastForAgent,
  { txHash }: SubmissionResult,
): Promise<AgentReport> {
  const work = await readAgentWork(parts.db, input.organizationId, input.transactionId)
  const said = { status: 'SUBMITTED', txHash, error: null, leaseToken: input.leaseToken ?? null } as const
  return findSameReport(work, said) ?? { ...said, reportedAt: work.reported_at ?? parts.clock.now() }
}

/** New bytes of an agent's transaction come with the next poll, not from the address that clients are told. */
async function withoutRefreshHint<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Failure) || error.details?.refresh === undefined) throw error
    throw new Failure(error.code, { message: 'These bytes can land no more. Poll for new ones.' })
  }
}
