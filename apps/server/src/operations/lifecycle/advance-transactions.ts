import { sql, type UpdateObject } from 'kysely'
import { callToJson } from '../../chains/index.ts'
import type { Database, Schema, Tx } from '../../database/index.ts'
import { assert } from '../../kernel/index.ts'
import { advanceAgentWorkSql } from './advance-agent-work.ts'
import type { Operation } from './operation.ts'
import { recordMoved } from './record-steps.ts'
import type { OperationTransaction, TransactionBytes } from './transaction.ts'
import { TRANSACTION_STATES, TRANSACTIONS } from './transaction-states.ts'

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
  | { readonly event: 'bytes_died' }
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

type Columns = UpdateObject<Schema, 'transactions'>

/**
 * Moves one transaction. The caller holds the wallet's lock and has read the transaction under it. An event without a
 * transition from its state is a defect and rolls back.
 */
export async function advanceTransaction(
  tx: Tx,
  operation: Pick<Operation, 'organizationId' | 'executor'>,
  transaction: OperationTransaction,
  change: TransactionChange,
): Promise<void> {
  const transition = TRANSACTIONS.find(transaction.state, change.event)
  assert(transition, `a transaction that is ${transaction.state} has no event ${change.event}`)
  const [from, to] = [TRANSACTION_STATES[transition.from], TRANSACTION_STATES[transition.to]]
  const moved = tx
    .updateTable('transactions')
    .set({
      ...columnsOf(change),
      // A replacement is in no block, whatever block its displaced predecessor was noted in.
      ...(transition.from === 'displaced' && change.event === 'submitted' ? NOT_INCLUDED : {}),
      ...(from.status === to.status ? {} : { state: to.status }),
      ...(from.canStillLand === to.canStillLand ? {} : { can_still_land: to.canStillLand }),
    })
    .where('organization_id', '=', operation.organizationId)
    .where('id', '=', transaction.transactionId)
    .where('state', '=', from.status)
    .returning(['organization_id', 'id', 'operation_id', 'position'])
  const rows =
    operation.executor === 'agent' && transition.work
      ? (await sql`with moved as (${moved}), ${advanceAgentWorkSql(transition.work)} select id from moved`.execute(tx))
          .rows
      : await moved.execute()
  assert(rows.length === 1, 'the transaction is still in the state that was read under the lock')
  recordMoved(tx, operation, transaction, change)
}

/** A transaction that a final block contains. */
export interface Confirmation {
  readonly operation: Pick<Operation, 'organizationId' | 'executor'>
  readonly transaction: OperationTransaction
  readonly change: Extract<TransactionChange, { readonly event: 'confirmed' }>
}

/** `confirmed`, for transactions of one block: like {@link advanceTransaction}, in one statement for each state. */
export async function confirmTransactions(tx: Tx, confirmations: readonly Confirmation[]): Promise<void> {
  for (const [state, group] of Map.groupBy(confirmations, ({ transaction }) => transaction.state)) {
    const transition = TRANSACTIONS.find(state, 'confirmed')
    assert(transition, `a transaction that is ${state} has no event confirmed`)
    const [from, to] = [TRANSACTION_STATES[transition.from], TRANSACTION_STATES[transition.to]]
    const { block, at } = group[0]!.change
    const { rows } = await sql`
      with moved as (
        update transactions t set block_number = ${block.blockNumber}, block_hash = ${block.blockHash},
          included_at = ${block.time}, tx_hash = c.tx_hash, finalized_at = ${at}, last_seen_at = ${at},
          submitted_at = coalesce(t.submitted_at, ${at}::timestamptz), failure_code = null, error = null,
          state = ${to.status}, can_still_land = ${to.canStillLand}
        from unnest(${group.map(({ operation }) => operation.organizationId)}::bigint[],
          ${group.map(({ transaction }) => transaction.transactionId)}::bigint[],
          ${group.map(({ change }) => change.txHash)}::text[]) as c(organization_id, id, tx_hash)
        where t.organization_id = c.organization_id and t.id = c.id and t.state = ${from.status}
        returning t.organization_id, t.id, t.operation_id, t.position
      )${transition.work ? sql`, ${advanceAgentWorkSql(transition.work)}` : sql``} select id from moved
    `.execute(tx)
    assert(rows.length === group.length, 'the transactions are still in the state that was read under the lock')
    for (const { operation, transaction, change } of group) recordMoved(tx, operation, transaction, change)
  }
}

/** The columns that an event stores in addition to the state. */
function columnsOf(change: TransactionChange): Columns {
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
      return { tx_hash: change.txHash, submitted_at: firstTime(change.at) }
    case 'refused':
      return UNSUBMITTED
    case 'refused_after_end':
      return { ...UNSUBMITTED, error: change.error }
    case 'included':
      return {
        ...blockColumns(change.block),
        last_seen_at: change.at,
        // A failed transaction keeps its hash and time of submission until the block is final.
        ...(change.txHash === undefined ? {} : { tx_hash: change.txHash, submitted_at: firstTime(change.at) }),
      }
    case 'confirmed':
      return {
        ...finalColumns(change),
        last_seen_at: change.at,
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
  }
}

const NOT_INCLUDED: Columns = { block_number: null, block_hash: null, included_at: null }

const UNSUBMITTED: Columns = { ...NOT_INCLUDED, tx_hash: null, submitted_at: null, last_seen_at: null }

const firstTime = (at: Date) => sql<Date>`coalesce(submitted_at, ${at}::timestamptz)`

const blockColumns = ({ blockNumber, blockHash, time }: BlockInclusion): Columns => ({
  block_number: blockNumber,
  block_hash: blockHash,
  included_at: time,
})

const finalColumns = ({ block, txHash, at }: { block: BlockInclusion; txHash: string; at: Date }): Columns => ({
  ...blockColumns(block),
  tx_hash: txHash,
  finalized_at: at,
  submitted_at: firstTime(at),
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
    .set({ tx_hash: txHash, ...(seenAt ? { last_seen_at: seenAt } : {}) })
    .where('organization_id', '=', organizationId)
    .where('id', '=', transactionId)
    .execute()
}

/** Records that nodes know these transactions, in one statement. */
export async function recordLastSeen(
  db: Database | Tx,
  seen: readonly { readonly organizationId: number; readonly transactionId: number }[],
  at: Date,
): Promise<void> {
  if (seen.length === 0) return
  await sql`
    update transactions t set last_seen_at = ${at}
    from unnest(${seen.map((one) => one.organizationId)}::bigint[], ${seen.map((one) => one.transactionId)}::bigint[])
      as seen(organization_id, id)
    where t.organization_id = seen.organization_id and t.id = seen.id
  `.execute(db)
}
