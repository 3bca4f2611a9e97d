import { type RawBuilder, sql } from 'kysely'
import { callToJson } from '../../../chains/index.ts'
import { batchedEffect, type Database, type Tx } from '../../../database/index.ts'
import { assert } from '../../../kernel/index.ts'
import { recordMoved } from '../records/record-steps.ts'
import type { Operation } from '../states/operation.ts'
import type { OperationTransaction, TransactionBytes } from '../states/transaction.ts'
import { TRANSACTION_STATES, TRANSACTIONS } from '../states/transaction-states.ts'
import { advanceAgentWorkSql } from './advance-agent-work.ts'

/**
 * With `advance-transactions-in-bulk.ts`, the only code that assigns the columns that make up a transaction's state, by
 * the table in `transaction-states.ts`. Agent work moves in the same statement.
 */

/** The block that a transaction is in. */
export interface BlockInclusion {
  readonly blockNumber: number
  readonly blockHash: string
  readonly time: Date
}

/** How a transaction failed (spec 7.4). */
export interface TransactionFailure {
  readonly code: string
  readonly error: string
}

/** An event of a transaction, with the values that it stores. */
export type TransactionChange =
  | { readonly event: 'issued'; readonly bytes: TransactionBytes }
  /** Bytes with the same nonce and call. */
  | { readonly event: 'replacement_issued'; readonly bytes: TransactionBytes }
  | { readonly event: 'submitted'; readonly txHash: string; readonly at: Date }
  | { readonly event: 'refused' }
  | { readonly event: 'refused_after_end'; readonly error: string }
  /** `txHash`: set if the transaction takes over the hash from the block. */
  | { readonly event: 'included'; readonly block: BlockInclusion; readonly txHash?: string; readonly at: Date }
  | { readonly event: 'confirmed'; readonly block: BlockInclusion; readonly txHash: string; readonly at: Date }
  | { readonly event: 'bytes_died' | 'found_landed' }
  | TransactionFailureChange

/** The ways to fail. */
export type TransactionFailureChange =
  | { readonly event: 'failed' | 'failed_for_good'; readonly failure: TransactionFailure }
  | {
      readonly event: 'reverted'
      readonly failure: TransactionFailure
      readonly revertReason: string | null
      readonly block: BlockInclusion
      readonly txHash: string
      readonly at: Date
    }

/** A transaction and an event of it. */
export interface TransactionMove {
  readonly operation: Pick<Operation, 'organizationId' | 'executor'>
  readonly transaction: OperationTransaction
  readonly change: TransactionChange
}

/**
 * Moves one transaction. The caller holds the wallet's lock and has read the transaction under it. An event without a
 * transition from its state is a defect and rolls back.
 */
export async function advanceTransaction(
  tx: Tx,
  operation: TransactionMove['operation'],
  transaction: OperationTransaction,
  change: TransactionChange,
): Promise<void> {
  await advanceTransactions(tx, [{ operation, transaction, change }])
}

/** The same for many different ones, in one statement for each state and event. */
async function advanceTransactions(tx: Tx, moves: readonly TransactionMove[]): Promise<void> {
  const steps = moves.map((move) => ({ move, columns: columnsOf(move.transaction, move.change) }))
  const alike = Map.groupBy(
    steps,
    ({ move: { transaction, change }, columns }) => `${transaction.state} ${change.event} ${Object.keys(columns)}`,
  )
  for (const group of alike.values()) await advanceAlike(tx, group)
}

/** {@link advanceTransactions}, for one of several works. */
export const ADVANCE_TRANSACTION = batchedEffect<TransactionMove>(advanceTransactions)

interface Step {
  readonly move: TransactionMove
  readonly columns: Columns
}

/** Steps with the same state, event and columns. */
async function advanceAlike(tx: Tx, steps: readonly Step[]): Promise<void> {
  const { transaction, change } = steps[0]!.move
  const transition = TRANSACTIONS.find(transaction.state, change.event)
  assert(transition, `a transaction that is ${transaction.state} has no event ${change.event}`)
  const [from, to] = [TRANSACTION_STATES[transition.from], TRANSACTION_STATES[transition.to]]
  const { source, isMoved, valueSql } = stepsSql(steps)
  const assignments = [
    ...(Object.keys(steps[0]!.columns) as Column[]).map((column) => sql`${sql.ref(column)} = ${valueSql(column)}`),
    sql`state = ${to.status}, can_still_land = ${to.canStillLand}`,
  ]
  const isWork = transition.work && steps.some(({ move }) => move.operation.executor === 'agent')
  const { rows } = await sql`
    with moved as (
      update transactions t set ${sql.join(assignments)} ${source}
      where ${isMoved} and t.state = ${from.status}
      returning t.organization_id, t.id, t.operation_id, t.position
    )${isWork ? sql`, ${advanceAgentWorkSql(transition.work)}` : sql``} select id from moved
  `.execute(tx)
  assert(rows.length === steps.length, 'the transactions are still in the state that was read under the lock')
  for (const { move } of steps) recordMoved(tx, move.operation, move.transaction, move.change)
}

/** Where a statement finds the values of its steps: as parameters if there is one, else in a table `c`. */
function stepsSql(steps: readonly Step[]) {
  const [first, ...others] = steps as [Step, ...Step[]]
  const columns = Object.keys(first.columns) as Column[]
  const isOne = others.length === 0
  const valueSql = (column: Column): RawBuilder<unknown> => {
    const type = sql.raw(COLUMN_TYPES[column])
    const value = isOne ? sql`${first.columns[column]}::${type}` : sql`c.${sql.ref(column)}`
    if (first.columns[column] === null) return value
    if (column === 'submitted_at') return sql`coalesce(t.submitted_at, ${value})`
    return column === 'first_seen_at' ? firstSeenSql(value) : value
  }
  if (isOne) {
    const { operation, transaction } = first.move
    const isMoved = sql`t.organization_id = ${operation.organizationId} and t.id = ${transaction.transactionId}`
    return { source: sql``, isMoved, valueSql }
  }
  const arrays = columns.map(
    (column) => sql`${steps.map((step) => step.columns[column])}::${sql.raw(COLUMN_TYPES[column])}[]`,
  )
  const organizations = steps.map(({ move }) => move.operation.organizationId)
  const ids = steps.map(({ move }) => move.transaction.transactionId)
  return {
    source: sql`from unnest(${sql.join([sql`${organizations}::bigint[]`, sql`${ids}::bigint[]`, ...arrays])})
      as c(${sql.join(['organization_id', 'id', ...columns].map((name) => sql.ref(name)))})`,
    isMoved: sql`t.organization_id = c.organization_id and t.id = c.id`,
    valueSql,
  }
}

const COLUMN_TYPES = {
  call: 'jsonb',
  nonce: 'bigint',
  unsigned_bytes: 'text',
  valid_until: 'timestamptz',
  blockhash: 'text',
  last_valid_block_height: 'bigint',
  tx_hash: 'text',
  submitted_at: 'timestamptz',
  first_seen_at: 'timestamptz',
  last_seen_at: 'timestamptz',
  block_number: 'bigint',
  block_hash: 'text',
  included_at: 'timestamptz',
  finalized_at: 'timestamptz',
  failure_code: 'text',
  error: 'text',
  revert_reason: 'text',
} as const

type Column = keyof typeof COLUMN_TYPES

/** A time in `submitted_at` or `first_seen_at` is kept if there is an earlier one. */
type Columns = Readonly<Partial<Record<Column, string | number | Date | null>>>

/** The columns that an event stores in addition to the state. */
function columnsOf({ state }: OperationTransaction, change: TransactionChange): Columns {
  // A replacement is in no block, whatever block its displaced predecessor was noted in.
  if (state === 'displaced' && change.event === 'submitted') return { ...storedBy(change), ...NOT_INCLUDED }
  // The version in the block counts until another one is in a block.
  if (state === 'included' && change.event === 'submitted') return {}
  return storedBy(change)
}

function storedBy(change: TransactionChange): Columns {
  switch (change.event) {
    case 'issued':
      return {
        call: callToJson(change.bytes.call),
        nonce: change.bytes.nonce,
        unsigned_bytes: change.bytes.unsignedBytes,
        valid_until: change.bytes.validUntil,
        blockhash: change.bytes.blockhash,
        last_valid_block_height: change.bytes.lastValidBlockHeight,
      }
    case 'replacement_issued':
      return { unsigned_bytes: change.bytes.unsignedBytes, valid_until: change.bytes.validUntil }
    case 'submitted':
      return { tx_hash: change.txHash, submitted_at: change.at }
    case 'refused':
      return UNSUBMITTED
    case 'refused_after_end':
      return { ...UNSUBMITTED, error: change.error }
    case 'included':
      return {
        ...blockColumns(change.block),
        ...seenColumns(change.at),
        // A failed transaction keeps its hash and time of submission until the block is final.
        ...(change.txHash === undefined ? {} : { tx_hash: change.txHash, submitted_at: change.at }),
      }
    case 'confirmed':
      return {
        ...finalColumns(change),
        ...seenColumns(change.at),
        failure_code: null,
        error: null,
      }
    case 'reverted':
      return { ...finalColumns(change), ...failureColumns(change.failure), revert_reason: change.revertReason }
    case 'failed':
    case 'failed_for_good':
      return failureColumns(change.failure)
    case 'bytes_died':
      return {}
    case 'found_landed':
      return NOT_INCLUDED
  }
}

const seenColumns = (at: Date | null): Columns => ({ first_seen_at: at, last_seen_at: at })

const NOT_INCLUDED: Columns = { block_number: null, block_hash: null, included_at: null }

const UNSUBMITTED: Columns = { ...NOT_INCLUDED, tx_hash: null, submitted_at: null, ...seenColumns(null) }

const blockColumns = ({ blockNumber, blockHash, time }: BlockInclusion): Columns => ({
  block_number: blockNumber,
  block_hash: blockHash,
  included_at: time,
})

const finalColumns = ({ block, txHash, at }: { block: BlockInclusion; txHash: string; at: Date }): Columns => ({
  ...blockColumns(block),
  tx_hash: txHash,
  finalized_at: at,
  submitted_at: at,
})

const failureColumns = ({ code, error }: TransactionFailure): Columns => ({ failure_code: code, error })

/**
 * Records a transaction's hash without a change of state. `seenAt`: when a node last knew the transaction.
 */
export async function recordTransactionHash(
  tx: Tx,
  { organizationId, transactionId }: { organizationId: number; transactionId: number },
  txHash: string,
  seenAt?: Date,
): Promise<void> {
  await tx
    .updateTable('transactions')
    .set({
      tx_hash: txHash,
      ...(seenAt ? { first_seen_at: firstSeenSql(seenAt, 'transactions'), last_seen_at: seenAt } : {}),
    })
    .where('organization_id', '=', organizationId)
    .where('id', '=', transactionId)
    .execute()
}

/** The first time of a transaction that a node knows at `at`; an earlier version wrote `last_seen_at` only. */
function firstSeenSql(at: Date | RawBuilder<unknown>, table = 't'): RawBuilder<Date> {
  const [first, last] = [sql.ref(`${table}.first_seen_at`), sql.ref(`${table}.last_seen_at`)]
  return sql`coalesce(${first}, ${last}, ${at})`
}

/** Records that nodes know these transactions, in one statement. */
export async function recordLastSeen(
  db: Database | Tx,
  seen: readonly { readonly organizationId: number; readonly transactionId: number }[],
  at: Date,
): Promise<void> {
  if (seen.length === 0) return
  await sql`
    update transactions t set first_seen_at = ${firstSeenSql(at)}, last_seen_at = ${at}
    from unnest(${seen.map((one) => one.organizationId)}::bigint[], ${seen.map((one) => one.transactionId)}::bigint[])
      as seen(organization_id, id)
    where t.organization_id = seen.organization_id and t.id = seen.id
  `.execute(db)
}
