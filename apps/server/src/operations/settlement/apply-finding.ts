import { consumesNonce, type FailureCode, type IncludedTransaction } from '../../chains/index.ts'
import { addMilliseconds, assert, BROADCAST_REQUEST_TIMEOUT_MS } from '../../kernel/index.ts'
import { advanceTransaction } from '../lifecycle/advance-transactions.ts'
import { failTransaction } from '../lifecycle/fail-transaction.ts'
import type { Operation } from '../lifecycle/operation.ts'
import type { OperationTransaction } from '../lifecycle/transaction.ts'
import type { Candidate, Finding } from './classify-transactions.ts'
import { failDisplacedTransactions } from './fail-displaced.ts'
import { settleLanded } from './settle-landed.ts'
import { LINK_HASH, READ_OPERATION } from './settlement-calls.ts'
import type { SettlementContext } from './settlement-context.ts'

/** Applies a final block's finding about one of our transactions. Idempotent. */
export async function applyFinding(
  settlement: SettlementContext,
  finding: Finding,
  reason: string | undefined,
): Promise<void> {
  if (finding.kind === 'landed') await failDisplacedTransactions(settlement, finding.candidate)
  const { operation, transaction } = await reloadTransaction(settlement, finding.candidate)
  if (!transaction.canStillLand) return
  if (finding.kind === 'displaced') return applyDisplaced(settlement, operation, transaction, finding.included.hash)
  if (finding.kind === 'mismatch') return applyMismatch(settlement, operation, transaction, finding.included)

  await settlement.batcher.call(LINK_HASH, {
    organizationId: operation.organizationId,
    blockchain: transaction.blockchain,
    transactionId: transaction.transactionId,
    txHash: finding.included.hash,
    source: 'watcher',
    at: settlement.at,
  })
  if (finding.included.succeeded) return settleLanded(settlement, operation, transaction, finding.included)
  const code = finding.included.failureCode
  assert(code, 'a failed transaction has a failure code')
  const { tx, block, at } = settlement
  await failTransaction(tx, {
    operation,
    transaction,
    change: {
      event: 'reverted',
      failure: { code, error: FAILURES[code] },
      revertReason: reason ?? null,
      block: { blockNumber: finding.included.blockNumber, blockHash: block.hash, time: block.time },
      txHash: finding.included.hash,
      at,
    },
    at,
  })
}

const FAILURES: Readonly<Record<FailureCode, string>> = {
  REVERTED: 'The contract reverted the transaction.',
  OUT_OF_GAS: 'The transaction ran out of gas.',
  INSUFFICIENT_FUNDS: 'The wallet had too little native token for fees or rent.',
}

async function reloadTransaction({ batcher, snapshot }: SettlementContext, candidate: Candidate) {
  const { organizationId } = snapshot.wallet
  const { operationId } = candidate.transaction
  const operation = await batcher.call(READ_OPERATION, { organizationId, operationId })
  const transaction = operation.transactions[candidate.transaction.position]
  assert(transaction, 'a transaction keeps its position in its operation')
  return { operation, transaction }
}

/** Another transaction used its nonce, so its bytes are dead: a submitted transaction fails, another one goes stale. */
async function applyDisplaced(
  settlement: SettlementContext,
  operation: Operation,
  transaction: OperationTransaction,
  by: string,
): Promise<void> {
  const { tx, at } = settlement
  const invalidateBytes = () => advanceTransaction(tx, operation, transaction, { event: 'bytes_died' })
  if (transaction.status !== 'pending') return invalidateBytes()
  // The request that is broadcasting it gets the same error from the node, undoes the submission and returns the URL of
  // new bytes (contract 4).
  if (await isBroadcastInProgress(settlement, transaction)) return invalidateBytes()
  const wasSeen = transaction.lastSeenAt !== null
  const failure = wasSeen
    ? { code: 'REPLACED', error: `The transaction was replaced by ${by}.` }
    : { code: 'NONCE_TOO_LOW', error: `The nonce was already used by ${by}.` }
  await failTransaction(tx, { operation, transaction, change: { event: 'failed_for_good', failure }, at })
}

/** Whether its bytes were stored recently and no node has acknowledged them yet. */
async function isBroadcastInProgress(
  { tx, snapshot, at }: SettlementContext,
  { transactionId }: OperationTransaction,
): Promise<boolean> {
  const unacknowledged = await tx
    .selectFrom('transaction_hashes')
    .select('tx_hash')
    .where('organization_id', '=', snapshot.wallet.organizationId)
    .where('transaction_id', '=', transactionId)
    .where('raw', 'is not', null)
    .where('broadcast_at', 'is', null)
    .where('created_at', '>', addMilliseconds(at, -BROADCAST_REQUEST_TIMEOUT_MS))
    .executeTakeFirst()
  return unacknowledged !== undefined
}

/**
 * The reported hash belongs to another transaction: the planned one fails, and the operation is flagged (contract 6).
 * Its own bytes may still land, unless the other transaction used their nonce.
 */
async function applyMismatch(
  settlement: SettlementContext,
  operation: Operation,
  transaction: OperationTransaction,
  by: IncludedTransaction,
): Promise<void> {
  await settlement.tx
    .updateTable('operations')
    .set({ flag_reason: `TRANSACTION_MISMATCH: ${by.hash}` })
    .where('organization_id', '=', operation.organizationId)
    .where('id', '=', operation.operationId)
    .execute()
  const isDead = consumesNonce(transaction, by)
  const { tx, at } = settlement
  if (transaction.status !== 'pending') {
    if (isDead) await advanceTransaction(tx, operation, transaction, { event: 'bytes_died' })
    return
  }
  const error = `TRANSACTION_MISMATCH: ${by.hash} is not the planned transaction.`
  const event = isDead ? 'failed_for_good' : 'failed'
  await failTransaction(tx, { operation, transaction, change: { event, failure: { code: 'UNKNOWN', error } }, at })
}
