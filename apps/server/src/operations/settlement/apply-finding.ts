import type { IncludedTransaction } from '../../chains/index.ts'
import { addMilliseconds, assert, BROADCAST_REQUEST_TIMEOUT_MS } from '../../kernel/index.ts'
import { failTransaction, type TransactionFailure } from '../lifecycle/fail-transaction.ts'
import type { Operation, OperationTransaction } from '../lifecycle/operation.ts'
import { readOperation } from '../lifecycle/read-operations.ts'
import { linkHash } from '../transactions/transaction-hashes.ts'
import type { Candidate, Finding } from './classify-transactions.ts'
import { failDisplacedTransactions } from './fail-displaced.ts'
import { settleLanded } from './settle-landed.ts'
import type { SettlementContext } from './settle-wallet.ts'

/** Applies what a final block says about one of our transactions. What was applied before changes nothing. */
export async function applyFinding(
  settlement: SettlementContext,
  finding: Finding,
  reason: string | undefined,
): Promise<void> {
  if (finding.kind === 'landed') await failDisplacedTransactions(settlement, finding.candidate)
  const { operation, transaction } = await reloadTransaction(settlement, finding.candidate)
  if (transaction.finalizedAt !== null || !transaction.canStillLand) return
  if (finding.kind === 'displaced') return applyDisplaced(settlement, operation, transaction, finding.included.hash)
  if (finding.kind === 'mismatch') return applyMismatch(settlement, operation, transaction, finding.included)

  await linkHash(settlement.tx, {
    organizationId: operation.organizationId,
    blockchain: transaction.blockchain,
    transactionId: transaction.transactionId,
    txHash: finding.included.hash,
    source: 'watcher',
    at: settlement.at,
  })
  if (finding.included.succeeded) return settleLanded(settlement, operation, transaction, finding.included)
  const code = failureCodeOf(finding.included)
  await failFinal(settlement, operation, transaction, {
    failure_code: code,
    error: FAILURES[code],
    revert_reason: reason ?? null,
    tx_hash: finding.included.hash,
    block_number: finding.included.blockNumber,
    block_hash: settlement.block.hash,
    included_at: settlement.block.time,
    finalized_at: settlement.at,
    submitted_at: transaction.submittedAt ?? settlement.at,
  })
}

const FAILURES = {
  REVERTED: 'The contract reverted the transaction.',
  OUT_OF_GAS: 'The transaction ran out of gas.',
  INSUFFICIENT_FUNDS: 'The wallet had too little of the native token for fees or rent.',
} as const

/** An EVM chain tells only whether all gas was used; a node on Solana says why. */
function failureCodeOf(included: IncludedTransaction): keyof typeof FAILURES {
  if (included.gasUsed >= included.gasLimit) return 'OUT_OF_GAS'
  return included.family === 'svm' ? included.failureCode : 'REVERTED'
}

async function reloadTransaction({ tx, snapshot }: SettlementContext, candidate: Candidate) {
  const scope = { organizationId: snapshot.wallet.organizationId, walletProfileId: null }
  const operation = await readOperation(tx, scope, candidate.transaction.operationId)
  const transaction = operation.transactions[candidate.transaction.position]
  assert(transaction, 'a transaction keeps its place in its operation')
  return { operation, transaction }
}

/** Its nonce was used by something else: its bytes are dead. A submitted one fails; one that waits has gone stale. */
async function applyDisplaced(
  settlement: SettlementContext,
  operation: Operation,
  transaction: OperationTransaction,
  by: string,
): Promise<void> {
  if (transaction.state !== 'pending') return markCannotLand(settlement, transaction)
  // Whoever sends it just now learns the same from the node, takes it back and says where new bytes are (contract 4).
  if (await isBroadcastInProgress(settlement, transaction)) return markCannotLand(settlement, transaction)
  const known = transaction.lastSeenAt !== null
  await failFinal(settlement, operation, transaction, {
    failure_code: known ? 'REPLACED' : 'NONCE_TOO_LOW',
    error: known ? `The transaction was replaced by ${by}.` : `Its nonce was used by ${by}.`,
  })
}

/** Its bytes were stored a moment ago, and no node has acknowledged them. */
async function isBroadcastInProgress(
  { tx, snapshot, at }: SettlementContext,
  { transactionId }: OperationTransaction,
): Promise<boolean> {
  const sending = await tx
    .selectFrom('transaction_hashes')
    .select('tx_hash')
    .where('organization_id', '=', snapshot.wallet.organizationId)
    .where('transaction_id', '=', transactionId)
    .where('raw', 'is not', null)
    .where('broadcast_at', 'is', null)
    .where('created_at', '>', addMilliseconds(at, -BROADCAST_REQUEST_TIMEOUT_MS))
    .executeTakeFirst()
  return sending !== undefined
}

/**
 * A hash that was reported for it is another transaction: it fails, and the operation is flagged (contract 6). Its own
 * bytes may still land, unless the other one used their nonce.
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
  const { sender, nonce } = transaction
  const isDead = by.family === 'evm' && by.sender === sender && nonce !== null && nonce <= by.nonce
  if (isDead) await markCannotLand(settlement, transaction)
  if (transaction.state !== 'pending') return
  const error = `TRANSACTION_MISMATCH: ${by.hash} is not the transaction that was planned.`
  await failTransaction(settlement.tx, operation, transaction, { failure_code: 'UNKNOWN', error }, settlement.at)
}

/** What is final needs no watching any more. */
async function failFinal(
  { tx, at }: SettlementContext,
  operation: Operation,
  transaction: OperationTransaction,
  failure: TransactionFailure,
): Promise<void> {
  await failTransaction(tx, operation, transaction, { ...failure, can_still_land: false }, at)
}

async function markCannotLand({ tx, snapshot }: SettlementContext, transaction: OperationTransaction): Promise<void> {
  await tx
    .updateTable('transactions')
    .set({ can_still_land: false })
    .where('organization_id', '=', snapshot.wallet.organizationId)
    .where('id', '=', transaction.transactionId)
    .execute()
}
