import type { BroadcastResult, Chain } from '../../chains/index.ts'
import { inTransaction, type Transact, type Tx, transactOn } from '../../database/index.ts'
import { addMilliseconds, BROADCAST_REQUEST_TIMEOUT_MS, Failure } from '../../kernel/index.ts'
import type { Parts } from '../lifecycle/parts.ts'
import { lockOperation } from '../lifecycle/reads/lock-operation.ts'
import { recordTransactionStep } from '../lifecycle/records/record-steps.ts'
import type { Operation } from '../lifecycle/states/operation.ts'
import { isUnfinished } from '../lifecycle/states/operation-states.ts'
import { hasHash, type OperationTransaction } from '../lifecycle/states/transaction.ts'
import { advanceOperations } from '../lifecycle/transitions/advance-operations.ts'
import {
  advanceTransaction,
  recordLastSeen,
  recordTransactionHash,
  type TransactionChange,
} from '../lifecycle/transitions/advance-transactions.ts'
import { nonceUsedFailure, operationEndedFailure } from './mark-submitted.ts'
import { findLinkedHash, type LinkedHash } from './transaction-hashes.ts'

export interface StoredBytes {
  readonly organizationId: number
  readonly submitted: SubmissionResult
  readonly raw: string
  /** Of the bytes; `null` where bytes do not expire. */
  readonly lastValidBlockHeight: number | null
}

interface SentBytes extends Pick<StoredBytes, 'organizationId' | 'submitted'> {
  readonly result: BroadcastResult
  /** They were sent before, with an unknown result. */
  readonly isResent?: boolean
}

/**
 * Broadcasts stored bytes (rule 5) and records what came of it.
 *
 * Errors: those of {@link recordBroadcastResult}.
 */
export async function broadcastStoredBytes(
  parts: Parts,
  chain: Chain,
  stored: StoredBytes,
  transact: Transact<SubmissionResult> = transactOn(parts.db),
): Promise<SubmissionResult> {
  const result = await chain.broadcast(stored.raw, stored.lastValidBlockHeight)
  return recordBroadcastResult(parts, chain, { ...stored, result }, transact)
}

/**
 * A definite refusal of the first sending undoes the submission. Of bytes that were sent before, or that another process
 * may be sending, a refusal proves nothing: an earlier node may have taken them. After any other result the transaction
 * stays pending, and the follower finds out what became of it.
 *
 * Errors: INSUFFICIENT_GAS, SIMULATION_FAILED (for example, the fee is too low), OPERATION_ALREADY_SUBMITTED (a
 * replacement that pays too little), OPERATION_EXPIRED (the nonce is used, or the blockhash is gone),
 * INVALID_OPERATION_STATUS (the operation ended meanwhile).
 */
export async function recordBroadcastResult(
  parts: Parts,
  chain: Chain,
  { organizationId, submitted, result, isResent = false }: SentBytes,
  transact: Transact<SubmissionResult> = transactOn(parts.db),
): Promise<SubmissionResult> {
  const { blockchain } = chain.network
  const isRefused = result.outcome === 'refused' || result.outcome === 'stale'
  // Of bytes with a blockhash, even "stale" proves nothing: nodes report a landing late, so their age decides.
  if (isResent && isRefused && (result.outcome === 'refused' || chain.replayProtection === 'blockhash'))
    return submitted
  if (isRefused) {
    // A node that already has the bytes may report their nonce as used: look them up before undoing anything.
    const [found] = await chain.findTransactions([submitted.txHash])
    if (!found) {
      const undone = await undoSubmission(parts, { organizationId, submitted, blockchain, outcome: result.outcome })
      if (undone.kind === 'kept') return submitted
      if (undone.kind === 'ended') throw operationEndedFailure(undone.operation)
      throw broadcastFailure(result, submitted.operationId, undone.isReplacement)
    }
  }
  return transact(async (tx) => {
    if (result.outcome !== 'unknown')
      await recordBroadcast(tx, { organizationId, submitted, blockchain, at: parts.clock.now() })
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

interface RefusedSubmission {
  readonly organizationId: number
  readonly submitted: SubmissionResult
  readonly blockchain: string
  readonly outcome: 'refused' | 'stale'
}

type UndoResult =
  /** `isReplacement`: the transaction still counts as submitted, because an earlier version of it is pending. */
  | { readonly kind: 'undone'; readonly isReplacement: boolean }
  /** A node has it, or may have it: the follower finds out. */
  | { readonly kind: 'kept' }
  /** The follower ended the operation while the bytes were being sent. */
  | { readonly kind: 'ended'; readonly operation: Operation }

/** Undoes a submission that no node accepted. If another version is in a block, only unlinks the hash. */
async function undoSubmission(
  parts: Parts,
  { organizationId, submitted, blockchain, outcome }: RefusedSubmission,
): Promise<UndoResult> {
  return inTransaction(parts.db, async (tx): Promise<UndoResult> => {
    const scope = { organizationId, walletProfileId: null }
    const operation = await lockOperation(tx, scope, submitted.operationId)
    const transaction = operation.transactions.find(({ transactionId }) => transactionId === submitted.transactionId)
    const isPendingWithoutBlock = transaction?.state === 'submitted' || transaction?.state === 'displaced'
    const isOther = transaction !== undefined && isOtherVersion(transaction, submitted.txHash)
    if (!isPendingWithoutBlock && !isOther) return takenOver(operation, transaction)
    const linked = await findLinkedHash(tx, organizationId, blockchain, submitted.txHash)
    if (linked && mayBeHeld(linked, outcome, parts.clock.now())) return { kind: 'kept' }
    await tx
      .deleteFrom('transaction_hashes')
      .where('organization_id', '=', organizationId)
      .where('blockchain', '=', blockchain)
      .where('tx_hash', '=', submitted.txHash)
      .execute()
    if (!isPendingWithoutBlock) return { kind: 'undone', isReplacement: true }
    const earlier = await tx
      .selectFrom('transaction_hashes')
      .select('tx_hash')
      .where('organization_id', '=', organizationId)
      .where('transaction_id', '=', submitted.transactionId)
      .orderBy('created_at', 'desc')
      .executeTakeFirst()
    if (earlier) {
      await recordTransactionHash(tx, { organizationId, transactionId: submitted.transactionId }, earlier.tx_hash)
      return { kind: 'undone', isReplacement: true }
    }
    await advanceTransaction(tx, operation, transaction, refusal(operation))
    if (operation.state === 'CONFIRMING') {
      await advanceOperations(tx, [{ operation, event: 'submission_refused' }], parts.clock.now())
    }
    return { kind: 'undone', isReplacement: false }
  })
}

/** What became of a submission that the follower decided while its bytes were being sent. */
function takenOver(operation: Operation, transaction: OperationTransaction | undefined): UndoResult {
  if (transaction?.status === 'unsigned') return { kind: 'undone', isReplacement: false }
  const hasFailed = transaction?.state === 'outstanding' || transaction?.state === 'dead'
  return hasFailed && !isUnfinished(operation.state) ? { kind: 'ended', operation } : { kind: 'kept' }
}

/**
 * Whether a node may hold bytes that another one refused: one acknowledged them, or the follower has taken over the
 * sending. Once their nonce is used, only the acknowledgement counts: nobody can accept them any longer.
 */
function mayBeHeld({ storedAt, broadcastAt }: LinkedHash, outcome: RefusedSubmission['outcome'], now: Date): boolean {
  if (broadcastAt !== null) return true
  return outcome === 'refused' && storedAt <= addMilliseconds(now, -BROADCAST_REQUEST_TIMEOUT_MS)
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
  if (result.outcome === 'stale') {
    // An earlier version of the transaction used the nonce.
    return isReplacement ? new Failure('OPERATION_ALREADY_SUBMITTED') : nonceUsedFailure(operationId)
  }
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
