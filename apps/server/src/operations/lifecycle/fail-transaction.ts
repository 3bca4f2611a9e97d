import type { Updateable } from 'kysely'
import type { Schema, Tx } from '../../database/index.ts'
import { post } from '../../ledger/index.ts'
import { advanceOperations } from './advance-operations.ts'
import type { Operation, OperationTransaction } from './operation.ts'
import { isUnfinished } from './operation-states.ts'

/** How a transaction failed (spec 7.4), with whatever else the chain told about it. */
export type TransactionFailure = Pick<
  Updateable<Schema['transactions']>,
  | 'revert_reason'
  | 'tx_hash'
  | 'block_number'
  | 'block_hash'
  | 'included_at'
  | 'finalized_at'
  | 'submitted_at'
  | 'can_still_land'
> & { readonly failure_code: string; readonly error: string }

/** Fails a transaction, and with it its operation if that is unfinished. The caller holds the wallet's lock. */
export async function failTransaction(
  tx: Tx,
  operation: Operation,
  transaction: OperationTransaction,
  failure: TransactionFailure,
  at: Date,
): Promise<void> {
  await tx
    .updateTable('transactions')
    .set({ state: 'failed', ...failure })
    .where('organization_id', '=', operation.organizationId)
    .where('id', '=', transaction.transactionId)
    .execute()
  if (!isUnfinished(operation.state)) return
  const explanation = `Another transaction of the operation failed: ${failure.error}`
  const ended = await advanceOperations(tx, [{ operation, event: 'chain_failed', explanation }], at)
  await post(tx, ended.entries)
}
