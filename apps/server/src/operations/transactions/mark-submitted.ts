import type { Tx } from '../../database/index.ts'
import { Failure } from '../../kernel/index.ts'
import { advanceOperations } from '../lifecycle/advance-operations.ts'
import { advanceTransaction, type TransactionChange } from '../lifecycle/advance-transactions.ts'
import type { Operation } from '../lifecycle/operation.ts'
import type { OperationTransaction } from '../lifecycle/transaction.ts'

/**
 * Marks a transaction of an unfinished operation as pending, because it was submitted or found in a block. With its
 * last transaction the operation becomes CONFIRMING. A replacement only changes the hash. The caller holds the lock.
 *
 * Error: OPERATION_EXPIRED if another of the wallet's transactions has taken the nonce meanwhile.
 */
export async function markSubmitted(
  tx: Tx,
  operation: Operation,
  transaction: OperationTransaction,
  change: Extract<TransactionChange, { event: 'submitted' | 'included' }>,
): Promise<void> {
  if (await isNonceTaken(tx, operation, transaction)) {
    throw nonceUsedFailure(operation.operationId)
  }
  await advanceTransaction(tx, operation, transaction, change)
  const isLast = transaction.position === operation.transactions.length - 1
  if (isLast && operation.state === 'EXECUTING')
    await advanceOperations(tx, [{ operation, event: 'all_submitted' }], change.at)
}

/** The error for bytes that went stale before they were sent, with where to get new ones (contract 4). */
export function nonceUsedFailure(operationId: number): Failure {
  return new Failure('OPERATION_EXPIRED', {
    message: 'These bytes can no longer land: their nonce was used, or their blockhash expired.',
    details: { refresh: `/v1/operations/${operationId}/unsigned-transactions` },
  })
}

/** Whether another of the wallet's transactions with this nonce is pending or confirmed. */
export async function isNonceTaken(tx: Tx, operation: Operation, transaction: OperationTransaction): Promise<boolean> {
  if (transaction.nonce === null) return false
  const taken = await tx
    .selectFrom('transactions')
    .select('id')
    .where('organization_id', '=', operation.organizationId)
    .where('blockchain', '=', transaction.blockchain)
    .where('sender', '=', transaction.sender)
    .where('nonce', '=', transaction.nonce)
    .where('state', 'in', ['pending', 'confirmed'])
    .where('id', '<>', transaction.transactionId)
    .executeTakeFirst()
  return taken !== undefined
}
