import { isDeepStrictEqual } from 'node:util'
import type { Tx } from '../../database/index.ts'
import { unfinishedOperations } from '../lifecycle/reads/read-operations.ts'
import type { Operation } from '../lifecycle/states/operation.ts'
import type { OperationTransaction } from '../lifecycle/states/transaction.ts'

/** Two plans can have identical bytes; if these land, they belong to the plan that is unfinished (contract 6). */
export function isDuplicate(a: OperationTransaction, b: OperationTransaction): boolean {
  return a.sender === b.sender && a.nonce === b.nonce && isDeepStrictEqual(a.call, b.call)
}

/** Whether another operation of the wallet is unfinished and has a transaction with the same bytes. */
export async function hasLiveDuplicate(
  tx: Tx,
  operation: Operation,
  transaction: OperationTransaction,
): Promise<boolean> {
  const unfinished = await unfinishedOperations(tx, operation)
  return unfinished.some(({ transactions }) =>
    transactions.some((other) => other.transactionId !== transaction.transactionId && isDuplicate(other, transaction)),
  )
}
