import { Failure } from '../../kernel/index.ts'
import { isInFlight, isLastSubmitted, type Operation } from './operation.ts'

/**
 * The wallet's operations that a client's new plan supersedes: the client's own waiting ones (contract 6 and 8). An
 * operation in flight, or an agent's that is executing, blocks the plan. An agent's operation that still waits for
 * approval keeps its state and its reservation.
 *
 * Error: OPERATION_IN_PROGRESS.
 */
export function operationsToSupersede(unfinished: readonly Operation[]): Operation[] {
  const blocking = unfinished.find(blocksPlan)
  if (blocking) {
    throw new Failure('OPERATION_IN_PROGRESS', { details: { operationId: blocking.operationId } })
  }
  return unfinished.filter((operation) => operation.executor === 'client')
}

function blocksPlan(operation: Operation): boolean {
  if (operation.executor === 'agent') return operation.state === 'EXECUTING' || operation.state === 'CONFIRMING'
  return !isCancellable(operation)
}

/** Nothing is in flight and the last transaction was not submitted; a token approval may already be confirmed. */
export function isCancellable(operation: Operation): boolean {
  return operation.state !== 'CONFIRMING' && !isInFlight(operation) && !isLastSubmitted(operation)
}
