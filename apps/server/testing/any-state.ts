import type { OperationTransaction } from '../src/operations/index.ts'
import type { RampTransaction } from '../src/ramp/index.ts'

type FieldOfAny<T> = T extends unknown ? keyof T : never

/** The fields of all states. */
type InAnyState<T> = { readonly [Field in FieldOfAny<T>]: Extract<T, Record<Field, unknown>>[Field] }

/** Widens a transaction's type for tests, whose expectations imply its state. */
export const anyState = <T extends OperationTransaction | RampTransaction>(transaction: T): T & InAnyState<T> =>
  transaction as T & InAnyState<T>
