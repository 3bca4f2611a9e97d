import { isDeepStrictEqual } from 'node:util'
import type { Tx } from '../../database/index.ts'
import type { Operation } from '../lifecycle/operation.ts'
import { unfinishedOperations } from '../lifecycle/read-operations.ts'
import type { OperationTransaction } from '../lifecycle/transaction.ts'

/** Two plans may have had identical bytes; what lands of them belongs to the one that is alive (contract 6). */
export function isDuplicate(a: OperationTransaction, b: OperationTransaction): boolean {
  return a.sender === b.sender && a.nonce === b.nonce && isDeepStrictEqual(a.call, b.call)
}

/** Whether an unfinished operation of the same wallet has the same bytes as this transaction of another one. */
export async function hasLiveDuplicate(
  tx: Tx,
  operation: Operation,
  transaction: OperationTransaction,
): Promise<boolean> {
  const living = await unfinishedOperations(tx, operation)
  return living.some(({ transactions }) =>
    transactions.some((other) => other.transactionId !== transaction.transactionId && isDuplicate(other, transaction)),
  )
}
