import { sql } from 'kysely'
import { inTransaction, runSweep, unbatched } from '../../database/index.ts'
import {
  APPROVAL_TIMEOUT_MS,
  addMilliseconds,
  OPERATIONS_SWEEP_BATCH,
  UNLEASED_TIMEOUT_MS,
} from '../../kernel/index.ts'
import type { Parts } from '../lifecycle/parts.ts'
import { lockOperation } from '../lifecycle/reads/lock-operation.ts'
import type { Operation } from '../lifecycle/states/operation.ts'
import { abortUnissued, isUnissued } from '../lifecycle/transitions/abort-unissued.ts'

/**
 * Aborts agents' operations that nobody approved within seven days, or that no agent leased within a day (contract 8),
 * and releases their reservations. Returns how many were evaluated.
 */
export async function abortOverdueOperations(parts: Pick<Parts, 'db' | 'clock' | 'log'>): Promise<number> {
  const now = parts.clock.now()
  return runSweep<OverdueRow>(parts, {
    job: 'abort overdue operations',
    pageSize: OPERATIONS_SWEEP_BATCH,
    page: (after) => overduePage(parts.db, now, after?.id ?? 0),
    keyOf: ({ id }) => String(id),
    work: (row) => abortIfOverdue(parts, row),
  })
}

interface OverdueRow {
  readonly organization_id: number
  readonly id: number
}

async function overduePage(db: Parts['db'], now: Date, after: number): Promise<OverdueRow[]> {
  const { rows } = await sql<OverdueRow>`
    select organization_id, id from operations
    where executor = 'agent' and id > ${after} and (
      (state = 'PENDING_APPROVAL' and created_at <= ${addMilliseconds(now, -APPROVAL_TIMEOUT_MS)})
      or (state = 'EXECUTING' and updated_at <= ${addMilliseconds(now, -UNLEASED_TIMEOUT_MS)} and not exists (
        select from agent_work w where w.organization_id = operations.organization_id
          and w.operation_id = operations.id and w.issued_at is not null)))
    order by id limit ${OPERATIONS_SWEEP_BATCH}
  `.execute(db)
  return rows
}

async function abortIfOverdue(
  parts: Pick<Parts, 'db' | 'clock'>,
  { organization_id: organizationId, id: operationId }: OverdueRow,
): Promise<void> {
  await inTransaction(parts.db, async (tx) => {
    const at = parts.clock.now()
    const operation = await lockOperation(tx, { organizationId, walletProfileId: null }, operationId)
    const reason = overdueReason(operation, at)
    if (reason !== undefined) await abortUnissued(unbatched(tx), [operation], reason, at)
  })
}

/** Checked again under the lock: meanwhile a user may have approved the operation, or an agent leased it. */
function overdueReason(operation: Operation, at: Date): string | undefined {
  if (!isUnissued(operation)) return undefined
  if (operation.state === 'PENDING_APPROVAL' && operation.createdAt <= addMilliseconds(at, -APPROVAL_TIMEOUT_MS)) {
    return 'Nobody approved the operation within seven days.'
  }
  const isUnclaimed =
    operation.state === 'EXECUTING' && operation.updatedAt <= addMilliseconds(at, -UNLEASED_TIMEOUT_MS)
  return isUnclaimed ? 'No agent leased the operation within 24 hours.' : undefined
}
