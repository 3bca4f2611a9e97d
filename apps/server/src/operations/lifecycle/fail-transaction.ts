import type { Tx } from '../../database/index.ts'
import { post } from '../../ledger/index.ts'
import { advanceOperations } from './advance-operations.ts'
import { advanceTransaction, type TransactionFailureChange } from './advance-transactions.ts'
import type { Operation } from './operation.ts'
import { isUnfinished } from './operation-states.ts'
import type { OperationTransaction } from './transaction.ts'

export interface FailedTransaction {
  readonly operation: Operation
  readonly transaction: OperationTransaction
  readonly change: TransactionFailureChange
  readonly at: Date
}

/** Fails a transaction and, if it is unfinished, its operation. The caller holds the wallet's lock. */
export async function failTransaction(
  tx: Tx,
  { operation, transaction, change, at }: FailedTransaction,
): Promise<void> {
  await advanceTransaction(tx, operation, transaction, change)
  if (!isUnfinished(operation.state)) return
  const explanation = `Another transaction of the operation failed: ${change.failure.error}`
  const ended = await advanceOperations(tx, [{ operation, event: 'chain_failed', explanation }], at)
  await post(tx, ended.entries)
}
