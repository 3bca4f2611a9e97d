import { sql } from 'kysely'
import { inTransaction, runSweep } from '../../../database/index.ts'
import { OPERATIONS_SWEEP_BATCH } from '../../../kernel/index.ts'
import { post } from '../../../ledger/index.ts'
import type { Wallet } from '../../../wallets/index.ts'
import type { Parts } from '../parts.ts'
import { lockOperation } from '../reads/lock-operation.ts'
import { unfinishedOperations } from '../reads/read-operations.ts'
import type { Operation } from '../states/operation.ts'
import { advanceOperations } from '../transitions/advance-operations.ts'
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

/** Ends an operation if it is overdue by a clock that agrees, and releases its reservation. Its bytes can still land. */
export async function expireOperation(
  parts: Pick<Parts, 'db' | 'clock' | 'clockAgrees'>,
  key: { organizationId: number; operationId: number },
): Promise<void> {
  if (parts.clockAgrees?.() === false) return
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

/** A wallet's unfinished operations, once those that are overdue have expired: they block and supersede nothing. */
export async function unfinishedAfterExpiry(
  parts: Pick<Parts, 'db' | 'clock' | 'clockAgrees'>,
  wallet: Pick<Wallet, 'organizationId' | 'walletId'>,
): Promise<Operation[]> {
  const unfinished = await unfinishedOperations(parts.db, wallet)
  const overdue = unfinished.filter((operation) => isOverdue(operation, parts.clock.now()))
  if (overdue.length === 0) return unfinished
  for (const operation of overdue) await expireOperation(parts, operation)
  return unfinishedOperations(parts.db, wallet)
}

/** Ends the overdue operations of an organization, at most a page of the sweep: a list of what failed has them at once. */
export async function expireOverdueOf(
  parts: Pick<Parts, 'db' | 'clock' | 'clockAgrees'>,
  organizationId: number,
): Promise<void> {
  const overdue = await overduePage(parts.db, parts.clock.now(), { organizationId })
  for (const { id } of overdue) await expireOperation(parts, { organizationId, operationId: id })
}

/** Ends overdue operations. One that fails does not delay the others. Returns how many were evaluated. */
export async function expireOverdue(parts: Pick<Parts, 'db' | 'clock' | 'clockAgrees' | 'log'>): Promise<number> {
  const now = parts.clock.now()
  return runSweep<OverdueRow>(parts, {
    job: 'expire operations',
    pageSize: OPERATIONS_SWEEP_BATCH,
    page: (after) => overduePage(parts.db, now, { after }),
    keyOf: ({ id }) => String(id),
    work: ({ organization_id, id }) => expireOperation(parts, { organizationId: organization_id, operationId: id }),
  })
}

interface OverdueRow {
  readonly organization_id: number
  readonly id: number
  readonly expires_at: Date | null
}

function overduePage(
  db: Parts['db'],
  now: Date,
  { organizationId, after }: { readonly organizationId?: number; readonly after?: OverdueRow | undefined },
): Promise<OverdueRow[]> {
  return db
    .selectFrom('operations')
    .select(['organization_id', 'id', 'expires_at'])
    .where('expires_at', '<=', now)
    .$if(organizationId !== undefined, (query) => query.where('organization_id', '=', organizationId!))
    .$if(after !== undefined, (query) =>
      query.where(sql<boolean>`(expires_at, id) > (${after?.expires_at}, ${after?.id})`),
    )
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
    .orderBy('id')
    .limit(OPERATIONS_SWEEP_BATCH)
    .execute()
}
