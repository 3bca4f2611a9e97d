import { type Chain, matchesPlan, type ObservedTransaction } from '../../chains/index.ts'
import { type Transact, type Tx, transactOn, unbatched } from '../../database/index.ts'
import { Failure, validationError } from '../../kernel/index.ts'
import { chainOf, type Parts } from '../lifecycle/parts.ts'
import { lockOperation } from '../lifecycle/reads/lock-operation.ts'
import { readAgentWork } from '../lifecycle/reads/read-agent-work.ts'
import { readOperationOfTransaction } from '../lifecycle/reads/read-operations.ts'
import { type AgentReport, type AgentWork, isReplacementIssued, issueRecordOf } from '../lifecycle/states/agent-work.ts'
import type { Operation } from '../lifecycle/states/operation.ts'
import { isUnfinished } from '../lifecycle/states/operation-states.ts'
import { hasHash, isPending, type OperationTransaction } from '../lifecycle/states/transaction.ts'
import { recordTransactionHash } from '../lifecycle/transitions/advance-transactions.ts'
import { failTransaction } from '../lifecycle/transitions/fail-transaction.ts'
import { filterPastBlocks, settlePastBlock } from '../settlement/blocks/settle-past-block.ts'
import { reviveLanded } from '../settlement/pending/revive-landed.ts'
import { hashTakenFailure } from '../submission/require-submittable.ts'
import { hasLiveDuplicate, isDuplicate } from '../transactions/duplicate-transactions.ts'
import { isNonceTaken, markSubmitted } from '../transactions/mark-submitted.ts'
import { deleteOldestHashes, findLinkedHash, linkHash } from '../transactions/transaction-hashes.ts'
import { findSameReport, storeReport } from './agent-reports.ts'
import { nextReplacementAt } from './next-replacement-at.ts'
import { deferReplacement } from './start-lease.ts'

export interface ReportSubmitted {
  readonly organizationId: number
  readonly transactionId: number
  readonly txHash: string
  readonly leaseToken?: string | undefined
}

/**
 * An agent reports that it sent a transaction. Money may have moved, so a report is never refused for being late
 * (contract 9): the hash is linked and tracked whatever the state of the lease or the operation, and a late landing
 * completes an operation that had ended. A transaction may have several hashes, because two agents' signatures may
 * differ; all of them are tracked. If a block shows another transaction under the hash than the planned one, the
 * operation is flagged (contract 6).
 *
 * Repeating a report returns the first result. Errors: TRANSACTION_NOT_FOUND, VALIDATION_ERROR, LEASE_LOST (it was
 * never issued), OPERATION_ALREADY_SUBMITTED (the hash is linked to another transaction of the organization).
 */
export async function reportSubmitted(
  parts: Parts,
  input: ReportSubmitted,
  transact: Transact<AgentReport> = transactOn(parts.db),
): Promise<AgentReport> {
  const { organizationId, transactionId } = input
  const read = await readAgentWork(parts.db, organizationId, transactionId)
  const chain = chainOf(parts, read.blockchain)
  const txHash = chain.normalizeHash(input.txHash)
  if (txHash === undefined) throw validationError('txHash', `is not a transaction hash of ${read.blockchain}`)
  if (!issueRecordOf(read))
    throw new Failure('LEASE_LOST', { message: 'This transaction was never issued to an agent.' })

  const lookup = await lookupHash(chain, txHash)
  const report = await transact(async (tx) => {
    const at = parts.clock.now()
    const operation = await lockOperation(tx, { organizationId, walletProfileId: null }, read.operationId)
    const work = await readAgentWork(tx, organizationId, transactionId)
    const content = { status: 'SUBMITTED', txHash, error: null, leaseToken: input.leaseToken ?? null } as const
    const report: AgentReport = findSameReport(work, content) ?? { ...content, reportedAt: at }
    if (report.reportedAt === at) {
      await trackReportedHash(tx, operation, work, { txHash, lookup, at })
      await storeReport(tx, work, report)
    } else if (isReplacementIssued(work)) {
      // The agent sent the earlier version again instead of the replacement, or another agent has reported it.
      await deferReplacement(tx, { organizationId, transactionId }, nextReplacementAt(parts), 'It was sent again.')
    }
    return report
  })
  for (const passed of await filterPastBlocks(parts.db, chain, [lookup])) {
    // Reading a block is dear, and an agent chooses the hash: only the planned transaction is worth it.
    const operation = await operationWith(parts, input, passed)
    if (!operation) continue
    await reviveLanded(parts, chain, { operation, transactionId, lookup: passed, source: 'agent' })
    await settlePastBlock(parts, chain, passed)
  }
  return report
}

/** The operation of the reported transaction, if it is the one on the chain. */
async function operationWith(
  { db }: Parts,
  { organizationId, transactionId }: ReportSubmitted,
  lookup: ObservedTransaction,
): Promise<Operation | undefined> {
  const operation = await readOperationOfTransaction(db, { organizationId, walletProfileId: null }, transactionId)
  const isPlanned = operation.transactions.some(
    (planned) => planned.transactionId === transactionId && matchesPlan(planned, lookup),
  )
  return isPlanned ? operation : undefined
}

interface SubmittedReport {
  readonly txHash: string
  /** The transaction that a node returns for the hash. */
  readonly lookup: ObservedTransaction | undefined
  readonly at: Date
}

/** A node's response lets an old landing settle at once; without one, the follower settles it (rule 12). */
async function lookupHash(chain: Chain, txHash: string): Promise<ObservedTransaction | undefined> {
  try {
    return (await chain.findTransactions([txHash]))[0]
  } catch (error) {
    if (error instanceof Failure && error.code === 'CHAIN_UNAVAILABLE') return undefined
    throw error
  }
}

/** Links the hash, and marks the transaction submitted if its bytes can still land. The caller holds the lock. */
async function trackReportedHash(
  tx: Tx,
  operation: Operation,
  work: AgentWork,
  reported: SubmittedReport,
): Promise<void> {
  const { txHash, lookup, at } = reported
  const { organizationId } = operation
  const { transactionId } = work
  const transaction = operation.transactions.find((candidate) => candidate.transactionId === transactionId)!
  const linked = await findLinkedHash(tx, organizationId, transaction.blockchain, txHash)
  if (
    linked &&
    linked.transactionId !== transactionId &&
    !(await isLinkedToDuplicate(tx, operation, transaction, linked.transactionId))
  ) {
    throw hashTakenFailure()
  }
  if (lookup && !matchesPlan(transaction, lookup)) return flagMismatch(tx, operation, transaction, reported)
  const ended = !isUnfinished(operation.state)
  // Of two operations with the same bytes, the unfinished one owns the landing; the follower matches it by content.
  if (ended && (await hasLiveDuplicate(tx, operation, transaction))) return
  const { blockchain } = transaction
  if (!linked) await deleteOldestHashes(tx, organizationId, transactionId)
  await linkHash(tx, { organizationId, blockchain, transactionId, txHash, source: 'agent', at })
  // Dead bytes cannot be in flight, and another of our transactions may have taken their nonce: the chain decides.
  const isAlive = transaction.canStillLand && !(await isNonceTaken(unbatched(tx), operation, transaction))
  const isAwaited = transaction.status === 'unsigned' || (isPending(transaction) && isReplacementIssued(work))
  if (!ended && isAwaited && isAlive) {
    await markSubmitted(unbatched(tx), operation, transaction, { event: 'submitted', txHash, at })
  }
  if (ended && !hasHash(transaction)) {
    await recordTransactionHash(tx, { organizationId, transactionId }, txHash)
  }
}

/** The sent transaction is not the planned one: flags the operation, and fails the transaction if it is unsubmitted. */
async function flagMismatch(
  tx: Tx,
  operation: Operation,
  transaction: OperationTransaction,
  { txHash, at }: SubmittedReport,
): Promise<void> {
  await tx
    .updateTable('operations')
    .set({ flag_reason: `TRANSACTION_MISMATCH: ${txHash}` })
    .where('organization_id', '=', operation.organizationId)
    .where('id', '=', operation.operationId)
    .execute()
  if (!isUnfinished(operation.state) || transaction.status !== 'unsigned') return
  const error = `TRANSACTION_MISMATCH: ${txHash} is not the planned transaction.`
  await failTransaction(unbatched(tx), {
    operation,
    transaction,
    change: { event: 'failed', failure: { code: 'UNKNOWN', error } },
    at,
  })
}

/** Whether the hash is linked to the same bytes in another operation; only one of the two can be unfinished. */
async function isLinkedToDuplicate(
  tx: Tx,
  { organizationId }: Operation,
  transaction: OperationTransaction,
  otherId: number,
): Promise<boolean> {
  const other = await readOperationOfTransaction(tx, { organizationId, walletProfileId: null }, otherId)
  return other.transactions.some(
    (candidate) => candidate.transactionId === otherId && isDuplicate(candidate, transaction),
  )
}
