import { sql } from 'kysely'
import { inTransaction } from '../../database/index.ts'
import { APPROVAL_TIMEOUT_MS, addMilliseconds, UNLEASED_TIMEOUT_MS } from '../../kernel/index.ts'
import { abortUnissued, isUnissued } from '../lifecycle/abort-unissued.ts'
import { lockOperation } from '../lifecycle/lock-operation.ts'
import type { Operation } from '../lifecycle/operation.ts'
import type { Parts } from '../lifecycle/parts.ts'

/** How many overdue operations one sweep ends; the next sweep takes the rest. */
const SWEEP_BATCH = 200

/**
 * Aborts agents' operations that nobody approved in seven days, or that no agent ever asked for in a day (contract 8);
 * what they held is free again. Returns how many were looked at.
 */
export async function abortOverdueOperations(parts: Pick<Parts, 'db' | 'clock'>): Promise<number> {
  const now = parts.clock.now()
  const { rows } = await sql<{ organization_id: number; id: number }>`
    select organization_id, id from operations
    where executor = 'agent' and (
      (state = 'PENDING_APPROVAL' and created_at <= ${addMilliseconds(now, -APPROVAL_TIMEOUT_MS)})
      or (state = 'EXECUTING' and updated_at <= ${addMilliseconds(now, -UNLEASED_TIMEOUT_MS)} and not exists (
        select from agent_work w where w.organization_id = operations.organization_id
          and w.operation_id = operations.id and w.issued_at is not null)))
    order by id limit ${SWEEP_BATCH}
  `.execute(parts.db)
  for (const { organization_id: organizationId, id: operationId } of rows) {
    await inTransaction(parts.db, async (tx) => {
      const at = parts.clock.now()
      const operation = await lockOperation(tx, { organizationId, walletProfileId: null }, operationId)
      const why = overdueReason(operation, at)
      if (why !== undefined) await abortUnissued(tx, [operation], why, at)
    })
  }
  return rows.length
}

/** Judged again under the lock: somebody may have approved it, or an agent come for it, meanwhile. */
function overdueReason(operation: Operation, at: Date): string | undefined {
  if (!isUnissued(operation)) return undefined
  if (operation.state === 'PENDING_APPROVAL' && operation.createdAt <= addMilliseconds(at, -APPROVAL_TIMEOUT_MS)) {
    return 'Nobody approved the operation within seven days.'
  }
  const isForgotten =
    operation.state === 'EXECUTING' && operation.updatedAt <= addMilliseconds(at, -UNLEASED_TIMEOUT_MS)
  return isForgotten ? 'No agent asked for the operation within 24 hours.' : undefined
}
