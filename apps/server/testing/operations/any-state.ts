import type { AgentAction } from '../../src/agents/index.ts'
import type { AllocationView } from '../../src/allocations/index.ts'
import type { Operation, OperationTransaction, OperationView } from '../../src/operations/index.ts'
import type { RampTransaction } from '../../src/ramp/index.ts'
import type { Delivery } from '../../src/webhooks/index.ts'

type FieldOfAny<T> = T extends unknown ? keyof T : never

/** The fields of all states. */
type InAnyState<T> = { readonly [Field in FieldOfAny<T>]: Extract<T, Record<Field, unknown>>[Field] }

/** The types that are unions of states. */
type Stateful =
  | AgentAction
  | AllocationView
  | Delivery
  | Operation
  | OperationTransaction
  | OperationView
  | RampTransaction

/** Widens the type of an object for tests, whose expectations imply its state. */
export const anyState = <T extends Stateful>(object: T): T & InAnyState<T> => object as T & InAnyState<T>
