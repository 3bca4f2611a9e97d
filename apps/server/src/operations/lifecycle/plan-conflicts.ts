import { Failure } from '../../kernel/index.ts'
import { isInFlight, isLastSubmitted, type Operation } from './operation.ts'

/**
 * What a new plan of the client does to the wallet's unfinished operations (contract 6 and 8): its own waiting ones
 * are superseded; one that is in flight, or an agent's that is being carried out, stands in the way; an agent's that
 * still waits stays, with what it holds back.
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

/** Nothing in flight, and the last transaction was not submitted; an approval may be confirmed already. */
export function isCancellable(operation: Operation): boolean {
  return operation.state !== 'CONFIRMING' && !isInFlight(operation) && !isLastSubmitted(operation)
}
