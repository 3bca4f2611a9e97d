import { inTransaction } from '../../database/index.ts'
import { OPERATIONS_SWEEP_BATCH } from '../../kernel/index.ts'
import { post } from '../../ledger/index.ts'
import { advanceOperations } from './advance-operations.ts'
import { lockOperation } from './lock-operation.ts'
import type { Operation } from './operation.ts'
import type { Parts } from './parts.ts'
import { isCancellable } from './plan-conflicts.ts'

/**
 * Whether the operation must end as FAILED, EXPIRED: past its `expiresAt`, with nothing in flight and its last
 * transaction not submitted (contract 6).
 */
export function isOverdue(operation: Operation, now: Date): boolean {
  return (
    operation.state === 'EXECUTING' &&
    operation.executor === 'client' &&
    operation.expiresAt !== null &&
    operation.expiresAt <= now &&
    isCancellable(operation)
  )
}

/** Ends an operation if it is overdue, and releases its reservation. Its bytes can still land. */
export async function expireOperation(
  parts: Pick<Parts, 'db' | 'clock'>,
  key: { organizationId: number; operationId: number },
): Promise<void> {
  await inTransaction(parts.db, async (tx) => {
    const now = parts.clock.now()
    const scope = { organizationId: key.organizationId, walletProfileId: null }
    const operation = await lockOperation(tx, scope, key.operationId)
    if (!isOverdue(operation, now)) return
    const ended = await advanceOperations(
      tx,
      [{ operation, event: 'expired', explanation: 'The operation expired before the transaction was submitted.' }],
      now,
    )
    await post(tx, ended.entries)
  })
}

/** Ends overdue operations, one batch. Returns how many were evaluated. */
export async function expireOverdue(parts: Pick<Parts, 'db' | 'clock'>): Promise<number> {
  const due = await parts.db
    .selectFrom('operations')
    .select(['organization_id', 'id'])
    .where('expires_at', '<=', parts.clock.now())
    .where('state', '=', 'EXECUTING')
    .where('executor', '=', 'client')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('transactions')
            .select('transactions.id')
            .whereRef('transactions.organization_id', '=', 'operations.organization_id')
            .whereRef('transactions.operation_id', '=', 'operations.id')
            .where('transactions.state', '=', 'pending'),
        ),
      ),
    )
    .orderBy('expires_at')
    .limit(OPERATIONS_SWEEP_BATCH)
    .execute()
  for (const { organization_id, id } of due) {
    await expireOperation(parts, { organizationId: organization_id, operationId: id })
  }
  return due.length
}
