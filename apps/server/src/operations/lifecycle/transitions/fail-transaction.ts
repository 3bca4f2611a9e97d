import type { CallBatcher } from '../../../database/index.ts'
import { POST } from '../../../ledger/index.ts'
import type { Operation } from '../states/operation.ts'
import { isUnfinished } from '../states/operation-states.ts'
import type { OperationTransaction } from '../states/transaction.ts'
import { ADVANCE_OPERATIONS } from './advance-operations.ts'
import { ADVANCE_TRANSACTION, type TransactionFailureChange } from './advance-transactions.ts'

export interface FailedTransaction {
  readonly operation: Operation
  readonly transaction: OperationTransaction
  readonly change: TransactionFailureChange
  readonly at: Date
}

/** Fails a transaction and, if it is unfinished, its operation. The caller holds the wallet's lock. */
export async function failTransaction(
  calls: CallBatcher,
  { operation, transaction, change, at }: FailedTransaction,
): Promise<void> {
  await calls.call(ADVANCE_TRANSACTION, { operation, transaction, change })
  if (!isUnfinished(operation.state)) return
  const explanation = `Another transaction of the operation failed: ${change.failure.error}`
  const requests = [{ operation, event: 'chain_failed', explanation }] as const
  const { entries } = await calls.call(ADVANCE_OPERATIONS, { requests, at })
  if (entries.length > 0) await calls.call(POST, entries)
}
