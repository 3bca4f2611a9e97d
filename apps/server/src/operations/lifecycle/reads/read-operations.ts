import { sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import {
  type BatchedCall,
  type Database,
  type OperationState,
  preparedQuery,
  selectCount,
  type Tx,
} from '../../../database/index.ts'
import type { Scope } from '../../../identity/index.ts'
import { Failure } from '../../../kernel/index.ts'
import type { Wallet } from '../../../wallets/index.ts'
import { type Operation, operationFrom } from '../states/operation.ts'
import { UNFINISHED } from '../states/operation-states.ts'
import { type TransactionRow, transactionFrom } from '../states/transaction.ts'

/** Operations with their transactions, in one statement. On the hot path of most requests. */
export function selectOperations(db: Database | Tx) {
  return db
    .selectFrom('operations')
    .selectAll('operations')
    .select((outer) =>
      jsonArrayFrom(
        outer
          .selectFrom('transactions')
          .selectAll('transactions')
          .select((cursor) =>
            cursor
              .selectFrom('chain_cursors')
              .select('chain_cursors.head_number')
              .whereRef('chain_cursors.blockchain', '=', 'transactions.blockchain')
              .as('head_number'),
          )
          .whereRef('transactions.organization_id', '=', 'operations.organization_id')
          .whereRef('transactions.operation_id', '=', 'operations.id')
          .orderBy('transactions.position'),
      ).as('transactions'),
    )
}

type OperationQuery = ReturnType<typeof selectOperations>

/** A row of {@link selectOperations}. */
export type OperationWithTransactionsRow = Awaited<ReturnType<OperationQuery['execute']>>[number]

/** Turns the transactions' times, which are text in JSON, into dates again. */
export function operationFromJoinedRow(row: OperationWithTransactionsRow): Operation {
  return operationFrom(
    row,
    row.transactions.map((json) => transactionFrom(parseTransactionJson(json))),
  )
}

export async function fetchOperations(query: OperationQuery): Promise<Operation[]> {
  return (await query.execute()).map(operationFromJoinedRow)
}

const TIME_COLUMNS = [
  'valid_until',
  'submitted_at',
  'first_seen_at',
  'last_seen_at',
  'included_at',
  'finalized_at',
] as const

function parseTransactionJson(json: object): TransactionRow {
  // Changed in place: no one else has the object, and copying its many members would dominate the cost of reading it.
  const row = json as Record<string, unknown>
  for (const name of TIME_COLUMNS) row[name] = typeof row[name] === 'string' ? new Date(row[name]) : null
  return row as unknown as TransactionRow
}

/** Literals: a prepared statement uses the index of unfinished operations only if its text contains the states. */
export const UNFINISHED_STATES = UNFINISHED.map((state) => sql.lit(state))

const unfinishedOfWallet = preparedQuery(
  'unfinished operations',
  (db, place: (name: 'organizationId' | 'walletId') => never) =>
    selectOperations(db)
      .where('operations.organization_id', '=', place('organizationId'))
      .where('operations.wallet_id', '=', place('walletId'))
      .where('operations.state', 'in', UNFINISHED_STATES),
)

/** Unfinished operations of one wallet. A caller that relies on the result holds the wallet's lock. */
export async function unfinishedOperations(
  db: Database | Tx,
  { organizationId, walletId }: Pick<Wallet, 'organizationId' | 'walletId'>,
): Promise<Operation[]> {
  return (await unfinishedOfWallet(db, { organizationId, walletId })).map(operationFromJoinedRow)
}

/** A token of a wallet. */
interface TokenKey {
  readonly wallet: Pick<Wallet, 'organizationId' | 'walletId'>
  readonly tokenAddress: string
}

/**
 * Unfinished operations of wallets that move one token of each, newest first, in the order of the keys. The caller holds
 * the wallets' locks. Two statements.
 */
export const UNFINISHED_ON_TOKEN: BatchedCall<TokenKey, Operation[]> = {
  async run(tx, keys) {
    const tokens = [...new Set(keys.map(({ tokenAddress }) => tokenAddress))]
    const strategies = await tx
      .selectFrom('strategies')
      .select(['id', 'token_address'])
      .where('token_address', '=', sql<string>`any(${tokens}::text[])`)
      .execute()
    const unfinished = await fetchOperations(
      selectOperations(tx)
        .where(
          sql<boolean>`(operations.organization_id, operations.wallet_id) in (select * from unnest(
            ${keys.map(({ wallet }) => wallet.organizationId)}::bigint[],
            ${keys.map(({ wallet }) => wallet.walletId)}::bigint[]))`,
        )
        .where('operations.state', 'in', UNFINISHED_STATES)
        .orderBy('operations.id', 'desc'),
    )
    const byWallet = Map.groupBy(unfinished, ({ walletId }) => walletId)
    return keys.map(({ wallet, tokenAddress }) => {
      const own = new Set(strategies.filter((each) => each.token_address === tokenAddress).map(({ id }) => id))
      return (byWallet.get(wallet.walletId) ?? []).filter(({ strategyId }) => own.has(strategyId))
    })
  },
}

/** Restricts a query to a scope: an operation belongs to its wallet's profile (contract 1 and 8). */
function withinScope(query: OperationQuery, scope: Scope): OperationQuery {
  const inOrganization = query.where('operations.organization_id', '=', scope.organizationId)
  return scope.walletProfileId === null
    ? inOrganization
    : inOrganization.where('operations.wallet_profile_id', '=', scope.walletProfileId)
}

const operationInOrganization = preparedQuery('read operation', (db, place: (name: 'organizationId' | 'id') => never) =>
  selectOperations(db)
    .where('operations.organization_id', '=', place('organizationId'))
    .where('operations.id', '=', place('id')),
)

const operationInProfile = preparedQuery(
  'read operation of profile',
  (db, place: (name: 'organizationId' | 'id' | 'walletProfileId') => never) =>
    selectOperations(db)
      .where('operations.organization_id', '=', place('organizationId'))
      .where('operations.id', '=', place('id'))
      .where('operations.wallet_profile_id', '=', place('walletProfileId')),
)

/** One operation as stored, without expiring it. Error: OPERATION_NOT_FOUND. */
export async function readOperation(db: Database | Tx, scope: Scope, operationId: number): Promise<Operation> {
  const { organizationId, walletProfileId } = scope
  const [row] =
    walletProfileId === null
      ? await operationInOrganization(db, { organizationId, id: operationId })
      : await operationInProfile(db, { organizationId, id: operationId, walletProfileId })
  if (!row) throw new Failure('OPERATION_NOT_FOUND')
  return operationFromJoinedRow(row)
}

/** An operation by its organization and id. */
export interface OperationKey {
  readonly organizationId: number
  readonly operationId: number
}

/** Many operations as stored, in the order of the keys, in one statement. Error: OPERATION_NOT_FOUND. */
async function readOperations(db: Database | Tx, keys: readonly OperationKey[]): Promise<Operation[]> {
  if (keys.length === 1) {
    const { organizationId, operationId } = keys[0]!
    return [await readOperation(db, { organizationId, walletProfileId: null }, operationId)]
  }
  const organizations = keys.map(({ organizationId }) => organizationId)
  const ids = keys.map(({ operationId }) => operationId)
  const found = await fetchOperations(
    selectOperations(db).where(
      sql<boolean>`(operations.organization_id, operations.id) in
        (select * from unnest(${organizations}::bigint[], ${ids}::bigint[]))`,
    ),
  )
  const byId = new Map(found.map((operation) => [operation.operationId, operation]))
  return keys.map(({ operationId }) => {
    const operation = byId.get(operationId)
    if (!operation) throw new Failure('OPERATION_NOT_FOUND')
    return operation
  })
}

/** {@link readOperations}, for one of several works. */
export const READ_OPERATION: BatchedCall<OperationKey, Operation> = { run: readOperations }

/** The operation that a transaction belongs to. Error: TRANSACTION_NOT_FOUND. */
export async function readOperationOfTransaction(
  db: Database | Tx,
  scope: Scope,
  transactionId: number,
): Promise<Operation> {
  const [operation] = await fetchOperations(
    withinScope(selectOperations(db), scope).where('operations.id', '=', (from) =>
      from
        .selectFrom('transactions')
        .select('transactions.operation_id')
        .where('transactions.organization_id', '=', scope.organizationId)
        .where('transactions.id', '=', transactionId),
    ),
  )
  if (!operation) throw new Failure('TRANSACTION_NOT_FOUND')
  return operation
}

export interface OperationFilter {
  readonly walletId?: number | undefined
  readonly strategyId?: number | undefined
  readonly states?: readonly OperationState[] | undefined
  /** As surfaces present it. */
  readonly type?: 'SUPPLY' | 'UNWIND' | undefined
}

/**
 * A page of operations, newest first, and how many there are. One statement, which finds the ids of the page from an
 * index alone before it reads the rows, which makes skipped rows cheap.
 */
export async function listOperations(
  db: Database,
  scope: Scope,
  filter: OperationFilter,
  page: { limit: number; offset: number },
): Promise<{ operations: Operation[]; total: number }> {
  const { query, counted } = operationPage(db, scope, filter, page)
  // The count comes first: a page past the end still includes it.
  const rows = await db
    .selectFrom(counted.as('counted'))
    .leftJoin(query.as('paged'), (join) => join.onTrue())
    .selectAll()
    .orderBy('paged.id', 'desc')
    .execute()
  return {
    operations: rows.flatMap((row) =>
      row.id === null ? [] : [operationFromJoinedRow(row as OperationWithTransactionsRow)],
    ),
    total: rows[0]?.total ?? 0,
  }
}

/** The two queries that {@link listOperations} joins: the operations of a page, and their count. */
export function operationPage(
  db: Database,
  scope: Scope,
  filter: OperationFilter,
  page: { limit: number; offset: number },
) {
  const kinds = filter.type === 'SUPPLY' ? (['SUPPLY', 'REVOKE'] as const) : filter.type && [filter.type]
  const filtered = (query: OperationQuery): OperationQuery => {
    let narrowed = withinScope(query, scope)
    if (filter.walletId !== undefined) narrowed = narrowed.where('operations.wallet_id', '=', filter.walletId)
    if (filter.strategyId !== undefined) narrowed = narrowed.where('operations.strategy_id', '=', filter.strategyId)
    if (filter.states !== undefined) {
      // Literals: the planner uses the partial indexes by state only if the query's text contains the states.
      const states = filter.states.map((state) => sql.lit(state))
      narrowed = narrowed.where('operations.state', 'in', states)
    }
    if (kinds !== undefined) narrowed = narrowed.where('operations.type', 'in', kinds)
    return narrowed
  }
  const query = filtered(selectOperations(db))
  const counted =
    filter.walletId === undefined && filter.strategyId === undefined
      ? selectCount(db, { ...scope, entity: 'operations', kinds, states: filter.states })
      : query.clearSelect().select(({ fn }) => fn.countAll<number>().as('total'))
  const ids = query
    .clearSelect()
    .select('operations.id')
    .orderBy('operations.id', 'desc')
    .limit(page.limit)
    .offset(page.offset)
  const paged = selectOperations(db)
    .where('operations.organization_id', '=', scope.organizationId)
    .where('operations.id', 'in', ids)
  return { query: paged, counted }
}
