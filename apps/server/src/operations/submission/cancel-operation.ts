import { type Transact, transactOn } from '../../database/index.ts'
import type { Scope } from '../../identity/index.ts'
import { Failure } from '../../kernel/index.ts'
import { post } from '../../ledger/index.ts'
import { isOverdue } from '../lifecycle/conflicts/expire-operations.ts'
import { isCancellable } from '../lifecycle/conflicts/plan-conflicts.ts'
import type { Parts } from '../lifecycle/parts.ts'
import { lockOperation } from '../lifecycle/reads/lock-operation.ts'
import type { Operation } from '../lifecycle/states/operation.ts'
import { advanceOperations } from '../lifecycle/transitions/advance-operations.ts'

/**
 * Cancels a client's operation if none of its transactions are in flight, the last one was not submitted, and it has not
 * expired (contract 6). Its issued bytes remain tracked, because they may still land (rule 2).
 *
 * Errors: OPERATION_NOT_FOUND, INVALID_OPERATION_STATUS.
 */
export async function cancelOperation(
  parts: Parts,
  scope: Scope,
  operationId: number,
  transact: Transact<Operation> = transactOn(parts.db),
): Promise<Operation> {
  return transact(async (tx) => {
    const at = parts.clock.now()
    const operation = await lockOperation(tx, scope, operationId)
    const isWaiting = operation.executor === 'client' && operation.state === 'EXECUTING' && isCancellable(operation)
    // What is overdue reads as expired from that moment on, even if no sweep has ended it.
    if (!isWaiting || isOverdue(operation, at)) {
      throw new Failure('INVALID_OPERATION_STATUS', { message: 'The operation can no longer be cancelled.' })
    }
    const ended = await advanceOperations(
      tx,
      [{ operation, event: 'cancelled', explanation: 'The operation was cancelled.' }],
      at,
    )
    await post(tx, ended.entries)
    return operation
  })
}
