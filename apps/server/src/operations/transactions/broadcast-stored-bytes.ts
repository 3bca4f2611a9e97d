import type { BroadcastResult, Chain } from '../../chains/index.ts'
import { inTransaction, type Transact, type Tx, transactOn } from '../../database/index.ts'
import { Failure } from '../../kernel/index.ts'
import { advanceOperations } from '../lifecycle/advance-operations.ts'
import {
  advanceTransaction,
  recordLastSeen,
  recordTransactionHash,
  type TransactionChange,
} from '../lifecycle/advance-transactions.ts'
import { lockOperation } from '../lifecycle/lock-operation.ts'
import type { Operation } from '../lifecycle/operation.ts'
import { isUnfinished } from '../lifecycle/operation-states.ts'
import type { Parts } from '../lifecycle/parts.ts'
import { recordTransactionStep } from '../lifecycle/record-steps.ts'
import { hasHash, type OperationTransaction } from '../lifecycle/transaction.ts'
import { nonceUsedFailure } from './mark-submitted.ts'

export interface StoredBytes {
  readonly organizationId: number
  readonly submitted: SubmissionResult
  readonly raw: string
  /** Of the bytes; `null` where bytes do not expire. */
  readonly lastValidBlockHeight: number | null
  /** They were sent before, with an unknown result. */
  readonly isResent?: boolean
}

/**
 * Broadcasts stored bytes (rule 5). A definite refusal undoes the submission. After any other result the transaction
 * stays pending, and the follower finds out what became of it.
 *
 * Errors: INSUFFICIENT_GAS, SIMULATION_FAILED (for example, the fee is too low), OPERATION_ALREADY_SUBMITTED (a
 * replacement that pays too little), OPERATION_EXPIRED (the nonce is used, or the blockhash is gone).
 */
export async function broadcastStoredBytes(
  parts: Parts,
  chain: Chain,
  { organizationId, submitted, raw, lastValidBlockHeight, isResent = false }: StoredBytes,
  transact: Transact<SubmissionResult> = transactOn(parts.db),
): Promise<SubmissionResult> {
  const result = await chain.broadcast(raw, lastValidBlockHeight)
  const isRefused = result.outcome === 'refused' || result.outcome === 'stale'
  // Bytes with a blockhash may have landed by the first sending, and nodes report that late: their age decides.
  if (isRefused && isResent && chain.replayProtection === 'blockhash') return submitted
  if (isRefused) {
    // A node that already has the bytes may report their nonce as used: look them up before undoing anything.
    const [found] = await chain.findTransactions([submitted.txHash])
    if (!found) {
      const isReplacement = await undoSubmission(parts, organizationId, submitted, chain.network.blockchain)
      throw broadcastFailure(result, submitted.operationId, isReplacement)
    }
  }
  return transact(async (tx) => {
    if (result.outcome !== 'unknown')
      await recordBroadcast(tx, {
        organizationId,
        submitted,
        blockchain: chain.network.blockchain,
        at: parts.clock.now(),
      })
    return submitted
  })
}

interface BroadcastRecord {
  readonly organizationId: number
  readonly submitted: SubmissionResult
  readonly blockchain: string
  readonly at: Date
}

async function recordBroadcast(tx: Tx, { organizationId, submitted, blockchain, at }: BroadcastRecord): Promise<void> {
  await tx
    .updateTable('transaction_hashes')
    .set({ broadcast_at: at })
    .where('organization_id', '=', organizationId)
    .where('blockchain', '=', blockchain)
    .where('tx_hash', '=', submitted.txHash)
    .execute()
  await recordLastSeen(tx, [{ organizationId, transactionId: submitted.transactionId }], at)
  const { txHash, ...ids } = submitted
  const transaction = { organizationId, ...ids, blockchain }
  recordTransactionStep(tx, transaction, { name: 'transaction broadcast', facts: { hash: txHash } })
}

/**
 * Undoes a submission that no node accepted. Only unlinks the hash if another version is in a block, and does nothing if
 * the follower has found this one meanwhile. Returns whether the transaction still counts as submitted because an
 * earlier version of it is pending.
 */
async function undoSubmission(
  parts: Parts,
  organizationId: number,
  submitted: SubmissionResult,
  blockchain: string,
): Promise<boolean> {
  return inTransaction(parts.db, async (tx) => {
    const scope = { organizationId, walletProfileId: null }
    const operation = await lockOperation(tx, scope, submitted.operationId)
    const transaction = operation.transactions.find(({ transactionId }) => transactionId === submitted.transactionId)
    const isPendingWithoutBlock = transaction?.state === 'submitted' || transaction?.state === 'displaced'
    if (!isPendingWithoutBlock && !(transaction && isOtherVersion(transaction, submitted.txHash))) return true
    await tx
      .deleteFrom('transaction_hashes')
      .where('organization_id', '=', organizationId)
      .where('blockchain', '=', blockchain)
      .where('tx_hash', '=', submitted.txHash)
      .execute()
    if (!isPendingWithoutBlock) return true
    const earlier = await tx
      .selectFrom('transaction_hashes')
      .select('tx_hash')
      .where('organization_id', '=', organizationId)
      .where('transaction_id', '=', submitted.transactionId)
      .orderBy('created_at', 'desc')
      .executeTakeFirst()
    if (earlier) {
      await recordTransactionHash(tx, { organizationId, transactionId: submitted.transactionId }, earlier.tx_hash)
      return true
    }
    await advanceTransaction(tx, operation, transaction, refusal(operation))
    if (operation.state === 'CONFIRMING') {
      await advanceOperations(tx, [{ operation, event: 'submission_refused' }], parts.clock.now())
    }
    return false
  })
}

const isOtherVersion = (transaction: OperationTransaction, txHash: string): boolean =>
  hasHash(transaction) && transaction.txHash !== txHash

/** The transaction returns to waiting, unless its operation has ended meanwhile. */
function refusal({ state }: Operation): TransactionChange {
  if (isUnfinished(state)) return { event: 'refused' }
  return { event: 'refused_after_end', error: 'The operation ended before the transaction was submitted.' }
}

function broadcastFailure(
  result: Exclude<BroadcastResult, { outcome: 'accepted' | 'known' | 'unknown' }>,
  operationId: number,
  isReplacement: boolean,
): Failure {
  if (result.outcome === 'stale') return nonceUsedFailure(operationId)
  const { code, reason } = result
  if (code !== 'UNDERPRICED') return new Failure(code, { details: { reason } })
  if (isReplacement) {
    return new Failure('OPERATION_ALREADY_SUBMITTED', { message: 'A replacement must pay at least 10% more.' })
  }
  return new Failure('SIMULATION_FAILED', {
    message: 'No node accepts the transaction at this fee. Request its bytes again: the new ones pay enough.',
    details: { reason },
  })
}
export interface SubmissionResult {
  readonly transactionId: number
  readonly operationId: number
  readonly txHash: string
}
