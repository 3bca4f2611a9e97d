import { inTransaction, type Tx } from '../database/index.ts'
import { post } from '../ledger/index.ts'
import { advance } from './advance.ts'
import { type Judgement, requireAwaiting } from './approve.ts'
import type { Operation } from './operation.ts'
import type { Parts } from './parts.ts'
import { readLocked } from './read-locked.ts'
import { recordDecision } from './record-decision.ts'

/**
 * Rejects an operation that waits for approval; one rejection ends it, and what it held back is free again
 * (specification 3.1, decisions 7). Errors: OPERATION_NOT_FOUND, INVALID_OPERATION_STATUS.
 */
export async function rejectOperation(
  parts: Pick<Parts, 'db' | 'clock'>,
  input: Judgement,
  finish?: (tx: Tx, operation: Operation) => Promise<void>,
): Promise<Operation> {
  return inTransaction(parts.db, async (tx) => {
    const at = parts.clock.now()
    const operation = await readLocked(tx, input.sight, input.operationId)
    requireAwaiting(operation)
    await recordDecision(tx, operation, input.userId, 'reject', at)
    const ended = await advance(tx, [{ operation, event: 'rejected', explanation: 'The operation was rejected.' }], at)
    await post(tx, ended.entries)
    await tx
      .updateTable('operations')
      .set({ rejected_at: at })
      .where('organization_id', '=', operation.organizationId)
      .where('id', '=', operation.operationId)
      .execute()
    const rejected: Operation = {
      ...operation,
      state: 'REJECTED',
      failureReason: 'REJECTED',
      rejectedAt: at,
      completedAt: at,
      updatedAt: at,
    }
    await finish?.(tx, rejected)
    return rejected
  })
}
