import { Failure } from '../../../kernel/index.ts'
import { isInFlight, isLastSubmitted, type Operation } from '../states/operation.ts'
import { isUnissued } from '../transitions/abort-unissued.ts'

/** What a plan does when the client's own operations of the wallet still wait. */
export type PlanConflictPolicy = 'supersede' | 'reject'

/**
 * The wallet's operations that a client's new plan supersedes: the client's own waiting ones (contract 6 and 8). An
 * operation in flight, or an agent's that is executing, blocks the plan. An agent's operation that still waits for
 * approval keeps its state and its reservation.
 *
 * Error: OPERATION_IN_PROGRESS, with `reject` also for an operation that could be superseded.
 */
export function operationsToSupersede(
  unfinished: readonly Operation[],
  ifBusy: PlanConflictPolicy = 'supersede',
): Operation[] {
  const waiting = ifBusy === 'reject' ? unfinished.find(({ executor }) => executor === 'client') : undefined
  const blocking = unfinished.find(blocksPlan) ?? waiting
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

/**
 * What a move of an operational wallet does to the wallet's unfinished operations: a revocation whose bytes were never
 * issued yields to every other move, because money comes first; so does the rebalancer's own withdrawal that the move
 * goes before, while it awaits approval. Anything else blocks.
 */
export function splitUnfinished(
  unfinished: readonly Operation[],
  { type, goesBefore }: Pick<Operation, 'type'> & { readonly goesBefore?: number | undefined },
): { readonly blocking: Operation | undefined; readonly yielding: readonly Operation[] } {
  const isRevocation = (operation: Operation) => operation.type === 'REVOKE' && isUnissued(operation)
  const yields = (operation: Operation) =>
    type !== 'REVOKE' &&
    (isRevocation(operation) || (operation.operationId === goesBefore && isUndecidedOwn(operation)))
  return { blocking: unfinished.find((operation) => !yields(operation)), yielding: unfinished.filter(yields) }
}

const isUndecidedOwn = ({ origin, type, state }: Operation): boolean =>
  origin === 'rebalancer' && type === 'UNWIND' && state === 'PENDING_APPROVAL'
