import { sql } from 'kysely'
import type { AllocationView } from '../../allocations/index.ts'
import { type Database, type OperationState, type OperationType, selectCount, type Tx } from '../../database/index.ts'
import { POSITION_OPERATIONS_MAX } from '../../kernel/index.ts'
import { getOperation } from '../lifecycle/conflicts/get-operation.ts'
import type { Parts } from '../lifecycle/parts.ts'
import { operationIdsOfHash } from '../lifecycle/reads/operation-ids-of-hash.ts'
import type { Operation } from '../lifecycle/states/operation.ts'
import { UNFINISHED } from '../lifecycle/states/operation-states.ts'
import { type OperationView, type OperationViewRow, operationViewOf, selectOperationViews } from './operation-view.ts'

export interface OperationViewPage {
  readonly operations: readonly OperationView[]
  readonly total: number
}

/** Absent fields match every operation. */
export interface OperationViewFilter {
  readonly states: readonly OperationState[]
  /** As surfaces present it. */
  readonly type?: 'SUPPLY' | 'UNWIND' | undefined
  readonly walletId?: number | undefined
  readonly strategyId?: number | undefined
  /** A symbol as the catalogue spells it. */
  readonly token?: string | undefined
  readonly tokenAddress?: string | undefined
  /** Planned at this moment or later, by the clock of the service. */
  readonly from?: Date | undefined
  /** Planned before it. */
  readonly until?: Date | undefined
  /** A hash that one of its transactions had. */
  readonly txHash?: string | undefined
}

interface OperationPageRequest {
  /** `null`: all of them. */
  readonly limit: number | null
  readonly offset: number
  /** Only operations with a lower id. */
  readonly before?: number | undefined
}

/**
 * Unfinished operations of an organization, newest first, overdue ones expired first (spec 4.3, contract 7). States of
 * the filter that are not unfinished match nothing.
 */
export async function listUnfinishedOperationViews(
  parts: Pick<Parts, 'db' | 'clock'>,
  organizationId: number,
  filter: OperationViewFilter,
  page: OperationPageRequest,
): Promise<OperationViewPage> {
  const read = await readPage(parts.db, organizationId, filter, page)
  const now = parts.clock.now()
  const late = read.operations.filter(({ expiresAt, state }) => state === 'EXECUTING' && expiresAt && expiresAt <= now)
  let ended = 0
  for (const { operationId } of late) {
    // Ends the operation, unless one of its transactions is in flight.
    const { state } = await getOperation(parts, { organizationId, walletProfileId: null }, operationId)
    if (state !== 'EXECUTING') ended += 1
  }
  return ended === 0 ? read : readPage(parts.db, organizationId, filter, page)
}

/** Operations of an organization that match, newest first. One statement. */
export async function operationHistory(
  { db }: Pick<Parts, 'db'>,
  organizationId: number,
  filter: OperationViewFilter,
  page: OperationPageRequest,
): Promise<OperationViewPage> {
  return readPage(db, organizationId, filter, page)
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
  filter: OperationViewFilter,
  page: OperationPageRequest,
): Promise<OperationViewPage> {
  if (filter.states.length === 0) return { operations: [], total: 0 }
  const rows = await operationViewPage(db, organizationId, filter, page).execute()
  return {
    operations: rows.flatMap((row) => (row.id === null ? [] : [operationViewOf(row as OperationViewRow)])),
    total: rows[0]?.total ?? 0,
  }
}

/** Finds the ids of a page from an index alone before it reads the rows, which makes skipped rows cheap. */
export function operationViewPage(
  db: Database | Tx,
  organizationId: number,
  filter: OperationViewFilter,
  page: OperationPageRequest,
) {
  const { states, type, before, ...others } = { ...filter, before: page.before }
  const kinds = type === 'SUPPLY' ? (['SUPPLY', 'REVOKE'] as const) : type && [type]
  const matching = selectMatchingIds(db, organizationId, filter, kinds)
  const following = before === undefined ? matching : matching.where('operations.id', '<', before)
  const ids = following.orderBy('operations.id', 'desc').limit(page.limit).offset(page.offset)
  const isTallied = Object.values(others).every((value) => value === undefined)
  const counted = isTallied
    ? selectCount(db, { entity: 'operations', organizationId, walletProfileId: null, kinds, states })
    : matching.clearSelect().select(({ fn }) => fn.countAll<number>().as('total'))
  const shown = selectOperationViews(db, organizationId).where('operations.id', 'in', ids)
  // The count comes first: a page past the end still includes it.
  return db
    .selectFrom(counted.as('counted'))
    .leftJoin(shown.as('shown'), (join) => join.onTrue())
    .selectAll()
    .orderBy('shown.id', 'desc')
}

function selectMatchingIds(
  db: Database | Tx,
  organizationId: number,
  { states, walletId, strategyId, token, tokenAddress, from, until, txHash }: OperationViewFilter,
  kinds: readonly OperationType[] | undefined,
) {
  let query = db
    .selectFrom('operations')
    .select('operations.id')
    .where('operations.organization_id', '=', organizationId)
    // Literals: the planner uses the partial indexes by state only if the query's text contains the states.
    .where(
      'operations.state',
      'in',
      states.map((state) => sql.lit(state)),
    )
  if (kinds) query = query.where('operations.type', 'in', kinds)
  if (walletId !== undefined) query = query.where('operations.wallet_id', '=', walletId)
  if (strategyId !== undefined) query = query.where('operations.strategy_id', '=', strategyId)
  if (token !== undefined || tokenAddress !== undefined) {
    let strategies = db.selectFrom('strategies').select('strategies.id')
    if (token !== undefined) strategies = strategies.where('strategies.token', '=', token)
    if (tokenAddress !== undefined) strategies = strategies.where('strategies.token_address', '=', tokenAddress)
    query = query.where('operations.strategy_id', 'in', strategies)
  }
  if (from) query = query.where('operations.created_at', '>=', from)
  if (until) query = query.where('operations.created_at', '<', until)
  if (txHash !== undefined) query = query.where('operations.id', 'in', operationIdsOfHash(db, organizationId, txHash))
  return query
}
