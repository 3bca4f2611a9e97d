import { sql } from 'kysely'
import type { AllocationView } from '../../allocations/index.ts'
import { type Database, type OperationState, selectCount, type Tx } from '../../database/index.ts'
import { POSITION_OPERATIONS_MAX } from '../../kernel/index.ts'
import { getOperation } from '../lifecycle/get-operation.ts'
import type { Operation } from '../lifecycle/operation.ts'
import { UNFINISHED } from '../lifecycle/operation-states.ts'
import type { Parts } from '../lifecycle/parts.ts'
import { type OperationView, type OperationViewRow, operationViewOf, selectOperationViews } from './operation-view.ts'

export interface OperationViewPage {
  readonly operations: readonly OperationView[]
  readonly total: number
}

interface OperationPageRequest {
  /** `null`: all of them. */
  readonly limit: number | null
  readonly offset: number
}

/** Unfinished operations of an organization, newest first, overdue ones expired first (spec 4.3, contract 7). */
export async function listUnfinishedOperationViews(
  parts: Pick<Parts, 'db' | 'clock'>,
  organizationId: number,
  page: OperationPageRequest,
): Promise<OperationViewPage> {
  const read = await readPage(parts.db, organizationId, UNFINISHED, page)
  const now = parts.clock.now()
  const late = read.operations.filter(({ expiresAt, state }) => state === 'EXECUTING' && expiresAt && expiresAt <= now)
  let ended = 0
  for (const { operationId } of late) {
    // Ends the operation, unless one of its transactions is in flight.
    const { state } = await getOperation(parts, { organizationId, walletProfileId: null }, operationId)
    if (state !== 'EXECUTING') ended += 1
  }
  return ended === 0 ? read : readPage(parts.db, organizationId, UNFINISHED, page)
}

/** Operations of an organization in these states, newest first. One statement. */
export async function operationHistory(
  { db }: Pick<Parts, 'db'>,
  organizationId: number,
  states: readonly OperationState[],
  page: OperationPageRequest,
): Promise<OperationViewPage> {
  return readPage(db, organizationId, states, page)
}

/** One operation, expired first if it is overdue, with the names that a view shows. Error: OPERATION_NOT_FOUND. */
export async function getOperationView(
  parts: Pick<Parts, 'db' | 'clock'>,
  organizationId: number,
  operationId: number,
): Promise<{ operation: Operation; view: OperationView }> {
  const operation = await getOperation(parts, { organizationId, walletProfileId: null }, operationId)
  const row = await selectOperationViews(parts.db, organizationId)
    .where('operations.id', '=', operationId)
    .executeTakeFirstOrThrow()
  return { operation, view: operationViewOf(row) }
}

/**
 * The newest operations of a position: those that landed while it was open and, if it still is, the unfinished ones.
 * The same wallet may have had other positions in the strategy before and after.
 */
export async function listPositionOperationViews(
  { db }: Pick<Parts, 'db'>,
  organizationId: number,
  position: AllocationView,
): Promise<OperationView[]> {
  const { openedAt } = position
  const closedAt = position.status === 'CLOSED' ? position.closedAt : null
  const rows = await selectOperationViews(db, organizationId)
    .where('operations.wallet_id', '=', position.walletId)
    .where('operations.strategy_id', '=', position.strategyId)
    .where(({ or, and, eb, exists, lit, selectFrom }) => {
      let landed = selectFrom('transactions')
        .select('transactions.id')
        .whereRef('transactions.organization_id', '=', 'operations.organization_id')
        .whereRef('transactions.operation_id', '=', 'operations.id')
        .where('transactions.kind', 'in', ['supply', 'unwind', 'exit_request', 'exit_claim'])
        .where('transactions.included_at', '>=', openedAt)
      if (closedAt) landed = landed.where('transactions.included_at', '<=', closedAt)
      return or([exists(landed), and([lit(closedAt === null), eb('operations.state', 'in', UNFINISHED)])])
    })
    .orderBy('operations.id', 'desc')
    .limit(POSITION_OPERATIONS_MAX)
    .execute()
  return rows.map(operationViewOf)
}

async function readPage(
  db: Database,
  organizationId: number,
  states: readonly OperationState[],
  page: OperationPageRequest,
): Promise<OperationViewPage> {
  const rows = await operationViewPage(db, organizationId, states, page).execute()
  return {
    operations: rows.flatMap((row) => (row.id === null ? [] : [operationViewOf(row as OperationViewRow)])),
    total: rows[0]?.total ?? 0,
  }
}

/** Finds the ids of a page from an index alone before it reads the rows, which makes skipped rows cheap. */
export function operationViewPage(
  db: Database | Tx,
  organizationId: number,
  states: readonly OperationState[],
  page: OperationPageRequest,
) {
  const ids = db
    .selectFrom('operations')
    .select('operations.id')
    .where('operations.organization_id', '=', organizationId)
    // Literals: the planner uses the partial indexes by state only if the query's text contains the states.
    .where(
      'operations.state',
      'in',
      states.map((state) => sql.lit(state)),
    )
    .orderBy('operations.id', 'desc')
    .limit(page.limit)
    .offset(page.offset)
  const counted = selectCount(db, { entity: 'operations', organizationId, walletProfileId: null, states })
  const shown = selectOperationViews(db, organizationId).where('operations.id', 'in', ids)
  // The count comes first: a page past the end still includes it.
  return db
    .selectFrom(counted.as('counted'))
    .leftJoin(shown.as('shown'), (join) => join.onTrue())
    .selectAll()
    .orderBy('shown.id', 'desc')
}
