import { Failure } from '../../kernel/index.ts'
import type { Operation } from '../lifecycle/states/operation.ts'
import { isUnfinished } from '../lifecycle/states/operation-states.ts'
import { operationEndedFailure } from '../transactions/mark-submitted.ts'

/** Only the custody agent submits operations that it executes (contract 8). Error: INVALID_OPERATION_STATUS. */
export function requireClientExecutor({ executor }: Operation): void {
  if (executor === 'client') return
  throw new Failure('INVALID_OPERATION_STATUS', { message: 'The custody agent executes this operation.' })
}

/** Errors: OPERATION_EXPIRED, INVALID_OPERATION_STATUS (the operation ended in another way). */
export function requireNotExpired(operation: Operation, now: Date): void {
  if (!isUnfinished(operation.state)) throw operationEndedFailure(operation)
  if (operation.expiresAt !== null && operation.expiresAt <= now) throw new Failure('OPERATION_EXPIRED')
}

export function hashTakenFailure(): Failure {
  return new Failure('OPERATION_ALREADY_SUBMITTED', { message: 'This hash is linked to another transaction.' })
}
