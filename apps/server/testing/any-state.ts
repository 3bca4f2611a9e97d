import type { OperationTransaction } from '../src/operations/index.ts'

type FieldOfAny<T> = T extends unknown ? keyof T : never

/** The fields of all states. */
type TransactionInAnyState = {
  readonly [Field in FieldOfAny<OperationTransaction>]: Extract<OperationTransaction, Record<Field, unknown>>[Field]
}

/** Widens a transaction's type for tests, whose expectations imply its state. */
export const anyState = (transaction: OperationTransaction): OperationTransaction & TransactionInAnyState =>
  transaction as OperationTransaction & TransactionInAnyState
