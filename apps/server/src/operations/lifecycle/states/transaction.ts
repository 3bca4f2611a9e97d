import type { Selectable } from 'kysely'
import { type Call, callFromJson, countConfirmations } from '../../../chains/index.ts'
import type { Schema, TransactionKind } from '../../../database/index.ts'
import { TRANSACTION_STATES, type TransactionState, transactionStateOf } from './transaction-states.ts'

/** The fields that building bytes sets. */
export interface TransactionBytes {
  readonly call: Call
  readonly nonce: number | null
  readonly unsignedBytes: string
  /** When the bytes go stale, if it is known. */
  readonly validUntil: Date | null
  /** Solana: their blockhash, and the height of the last block that can include them. */
  readonly blockhash: string | null
  readonly lastValidBlockHeight: number | null
}

/** The fields that a transaction has in every state. */
interface TransactionIdentity {
  readonly transactionId: number
  readonly operationId: number
  readonly position: number
  readonly kind: TransactionKind
  readonly blockchain: string
  readonly sender: string
  readonly description: string
  readonly call: Call
  readonly nonce: number | null
}

/** A state with its status and whether its bytes can still land. */
interface InState<State extends TransactionState> {
  readonly state: State
  /** The status that the interface shows. */
  readonly status: (typeof TRANSACTION_STATES)[State]['status']
  readonly canStillLand: (typeof TRANSACTION_STATES)[State]['canStillLand']
}

/** The bytes that were last issued. */
type Issued = Omit<TransactionBytes, 'call' | 'nonce'>

interface Submitted {
  readonly txHash: string
  readonly submittedAt: Date
  /** When a node first knew the transaction; `null`: no node has yet. */
  readonly firstSeenAt: Date | null
  /** When a node last knew it; `null`: no node has yet. */
  readonly lastSeenAt: Date | null
}

interface InBlock {
  readonly blockNumber: number
  readonly blockHash: string
  /** Blocks from the including one to the latest, both counted; `null` while the chain's head is not known. */
  readonly confirmations: number | null
}

/** The block that it was in before its bytes died, until a reorganization removes that block; `null`: none. */
type MaybeInBlock = { readonly [Field in keyof InBlock]: InBlock[Field] | null }

interface Final extends InBlock {
  readonly finalizedAt: Date
}

interface Failed {
  /** `null`: it was not submitted before its operation ended (spec 7.4). */
  readonly failureCode: string | null
  readonly error: string
}

/** The fields of a submission, each `null` if a failed transaction does not have it. */
type MaybeSubmitted = { readonly [Field in keyof Submitted]: Submitted[Field] | null }

interface States {
  planned: object
  issued: Issued
  stale: Issued
  submitted: Issued & Submitted
  displaced: Issued & Submitted & MaybeInBlock
  included: Issued & Submitted & InBlock
  confirmed: Issued & Submitted & Final
  outstanding: Issued & MaybeSubmitted & Failed
  landing_late: Issued & MaybeSubmitted & Failed & InBlock
  reverted: Issued & Submitted & Failed & Final & { readonly revertReason: string | null }
  dead: MaybeSubmitted & Failed & MaybeInBlock
}

/** A transaction in one state, with the fields that exist in it. */
export type TransactionIn<State extends TransactionState> = {
  [Each in State]: TransactionIdentity & InState<Each> & States[Each]
}[State]

/** One transaction of an operation; its state determines which other fields it has. */
export type OperationTransaction = TransactionIn<TransactionState>

/** Waits for a signature, or for bytes that can be signed. */
export type UnsubmittedTransaction = TransactionIn<'planned' | 'issued' | 'stale'>
/** A client or an agent may have its bytes. */
export type IssuedTransaction = TransactionIn<'issued'>
/** Sent, and in no block: an agent may get a replacement. */
export type PendingTransaction = TransactionIn<'submitted'>
/** It may have a hash. */
export type SentTransaction = Exclude<OperationTransaction, UnsubmittedTransaction>

export const isUnsigned = (transaction: OperationTransaction): transaction is UnsubmittedTransaction =>
  transaction.status === 'unsigned'

export const isIssued = (transaction: OperationTransaction): transaction is IssuedTransaction =>
  transaction.state === 'issued'

export const isPending = (transaction: OperationTransaction): transaction is PendingTransaction =>
  transaction.state === 'submitted'

/** It was submitted at some time, in whatever state it is now. */
export const isSubmitted = (transaction: OperationTransaction): transaction is SentTransaction & Submitted =>
  transaction.status !== 'unsigned' && transaction.submittedAt !== null

/** It has a hash. A transaction of an ended operation may have a hash but no time of submission. */
export const hasHash = (
  transaction: OperationTransaction,
): transaction is SentTransaction & { readonly txHash: string } =>
  transaction.status !== 'unsigned' && transaction.txHash !== null

/** A block is recorded for it: the one that it is in, or, if it is displaced or dead, the one that it was in. */
export const hasBlock = (
  transaction: OperationTransaction,
): transaction is Extract<OperationTransaction, MaybeInBlock> & { readonly blockNumber: number } =>
  'blockNumber' in transaction && transaction.blockNumber !== null

export const isFinal = (transaction: OperationTransaction): transaction is TransactionIn<'confirmed' | 'reverted'> =>
  transaction.state === 'confirmed' || transaction.state === 'reverted'

/** The unsigned bytes; `''` if none were built yet. */
export const unsignedBytesOf = (transaction: UnsubmittedTransaction | PendingTransaction): string =>
  transaction.state === 'planned' ? '' : transaction.unsignedBytes

/** The transaction after `bytes` were issued for it. */
export function withBytes(transaction: UnsubmittedTransaction, bytes: TransactionBytes): TransactionIn<'issued'> {
  return { ...transaction, ...bytes, state: 'issued', canStillLand: true }
}

/** `head_number`: the head of its chain as the follower last saw it, if the query selects it. */
export type TransactionRow = Selectable<Schema['transactions']> & { head_number?: number | null }

/**
 * A stored transaction. Fields that do not belong to its state are present and `null`: one object shape for all states
 * is fastest to read, and the types hide those fields.
 */
export function transactionFrom(row: TransactionRow): OperationTransaction {
  const state = transactionStateOf(row)
  return {
    transactionId: row.id,
    operationId: row.operation_id,
    position: row.position,
    kind: row.kind,
    state,
    status: row.state,
    blockchain: row.blockchain,
    sender: row.sender,
    description: row.description,
    call: callFromJson(row.call),
    nonce: row.nonce,
    unsignedBytes: row.unsigned_bytes ?? '',
    validUntil: row.valid_until,
    blockhash: row.blockhash,
    lastValidBlockHeight: row.last_valid_block_height,
    canStillLand: TRANSACTION_STATES[state].canStillLand,
    txHash: row.tx_hash,
    submittedAt: row.submitted_at,
    // The first column is null where an earlier version saw it.
    firstSeenAt: row.first_seen_at ?? row.last_seen_at,
    lastSeenAt: row.last_seen_at,
    blockNumber: row.block_number,
    blockHash: row.block_hash,
    confirmations: confirmationsOf(row),
    finalizedAt: row.finalized_at,
    failureCode: row.failure_code,
    error: row.error,
    revertReason: row.revert_reason,
  } as unknown as OperationTransaction
}

function confirmationsOf({ block_number, head_number, blockchain }: TransactionRow): number | null {
  if (block_number === null || head_number == null) return null
  return countConfirmations(blockchain, block_number, head_number)
}
