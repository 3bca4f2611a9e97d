import { sql } from 'kysely'
import { inTransaction } from '../database/index.ts'
import { APPROVAL_WITHIN_MS, LEASED_WITHIN_MS, later } from '../kernel/index.ts'
import { abortUntouched, isUntouched } from './abort-untouched.ts'
import type { Operation } from './operation.ts'
import type { Parts } from './parts.ts'
import { readLocked } from './read-locked.ts'

/** How many overdue operations one sweep ends; the next sweep takes the rest. */
const SWEEP = 200

/**
 * Aborts agents' operations that nobody approved in seven days, or that no agent ever asked for in a day (decisions 8);
 * what they held is free again. Returns how many were looked at.
 */
export async function abortOverdue(parts: Pick<Parts, 'db' | 'clock'>): Promise<number> {
  const now = parts.clock.now()
  const { rows } = await sql<{ organization_id: number; id: number }>`
    select organization_id, id from operations
    where executor = 'agent' and (
      (state = 'PENDING_APPROVAL' and created_at <= ${later(now, -APPROVAL_WITHIN_MS)})
      or (state = 'EXECUTING' and updated_at <= ${later(now, -LEASED_WITHIN_MS)} and not exists (
        select from agent_work w where w.organization_id = operations.organization_id
          and w.operation_id = operations.id and w.handed_out_at is not null)))
    order by id limit ${SWEEP}
  `.execute(parts.db)
  for (const { organization_id: organizationId, id: operationId } of rows) {
    await inTransaction(parts.db, async (tx) => {
      const at = parts.clock.now()
      const operation = await readLocked(tx, { organizationId, walletProfileId: null }, operationId)
      const why = overdue(operation, at)
      if (why !== undefined) await abortUntouched(tx, [operation], why, at)
    })
  }
  return rows.length
}

/** Judged again under the lock: somebody may have approved it, or an agent come for it, meanwhile. */
function overdue(operation: Operation, at: Date): string | undefined {
  if (!isUntouched(operation)) return undefined
  if (operation.state === 'PENDING_APPROVAL' && operation.createdAt <= later(at, -APPROVAL_WITHIN_MS)) {
    return 'Nobody approved the operation within seven days.'
  }
  const isForgotten = operation.state === 'EXECUTING' && operation.updatedAt <= later(at, -LEASED_WITHIN_MS)
  return isForgotten ? 'No agent asked for the operation within 24 hours.' : undefined
}
