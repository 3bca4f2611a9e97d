import { type Transact, transactOn } from '../../database/index.ts'
import { assert } from '../../kernel/index.ts'
import { post } from '../../ledger/index.ts'
import type { Parts } from '../lifecycle/parts.ts'
import { lockOperation } from '../lifecycle/reads/lock-operation.ts'
import type { RejectedOperation } from '../lifecycle/states/operation.ts'
import { advanceOperations } from '../lifecycle/transitions/advance-operations.ts'
import { type DecisionRequest, requirePendingApproval } from './approve-operation.ts'
import { recordDecision } from './record-decision.ts'

/**
 * Rejects an operation that waits for approval. One rejection ends it and releases its reservation (spec 3.1,
 * contract 7). Errors: OPERATION_NOT_FOUND, INVALID_OPERATION_STATUS.
 */
export async function rejectOperation(
  parts: Pick<Parts, 'db' | 'clock'>,
  input: DecisionRequest,
  transact: Transact<RejectedOperation> = transactOn(parts.db),
): Promise<RejectedOperation> {
  return transact(async (tx) => {
    const at = parts.clock.now()
    const operation = await lockOperation(tx, input.scope, input.operationId)
    requirePendingApproval(operation)
    const { userId, explanation } = input
    await recordDecision(tx, { operation, userId, decision: 'reject', at, explanation })
    const ended = await advanceOperations(
      tx,
      [{ operation, event: 'rejected', explanation: 'The operation was rejected.' }],
      at,
    )
    await post(tx, ended.entries)
    const [rejected] = ended.operations
    assert(rejected?.state === 'REJECTED', 'a rejection ends an operation as REJECTED')
    return rejected
  })
}
