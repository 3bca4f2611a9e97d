import type { Selectable } from 'kysely'
import { type Call, callFromJson } from '../../chains/index.ts'
import type {
  Executor,
  OperationOrigin,
  OperationState,
  OperationType,
  Schema,
  TransactionKind,
  TransactionState,
} from '../../database/index.ts'

/** An operation with its transactions, as verbs return it and both surfaces present it. Amounts in base units. */
export interface Operation {
  readonly organizationId: number
  readonly operationId: number
  readonly walletId: number
  readonly strategyId: number
  readonly type: OperationType
  readonly executor: Executor
  readonly state: OperationState
  /** `null`: the whole position. */
  readonly amount: bigint | null
  readonly settledAmount: bigint | null
  readonly cancelledOperations: readonly number[]
  readonly expiresAt: Date | null
  readonly failureReason: string | null
  readonly flagReason: string | null
  /** The operational wallet that it serves; `null`: planned by a client on v1. */
  readonly opWalletId: number | null
  readonly origin: OperationOrigin
  /** Why this move, strategy and amount; what the allocator weighed (contract 10). */
  readonly reasons: Record<string, unknown> | null
  /** What it moves; of a whole position its value when it was planned. `null`: planned by a client on v1. */
  readonly plannedValue: bigint | null
  /** The whole move that it is a part of; `null`: the operation is the whole move. */
  readonly part: MovePart | null
  readonly requiredApprovals: number
  readonly approvalRule: string | null
  readonly approvedAt: Date | null
  readonly rejectedAt: Date | null
  /** Decimal fraction; known once it is completed (contract 1). */
  readonly actualApy: number | null
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly completedAt: Date | null
  readonly transactions: readonly OperationTransaction[]
}

/** The place of an operation in a move that the rebalancer carries out in parts. Amounts in base units. */
export interface MovePart {
  readonly total: bigint
  /** What the parts planned after this one move. */
  readonly remaining: bigint
  /** The state of the catalogue that the move was planned by. */
  readonly catalogueFingerprint: string
}

export interface OperationTransaction {
  readonly transactionId: number
  readonly operationId: number
  readonly position: number
  readonly kind: TransactionKind
  readonly state: TransactionState
  readonly blockchain: string
  readonly sender: string
  readonly description: string
  readonly call: Call
  readonly nonce: number | null
  /** Empty while an agent's transaction waits to be claimed (contract 9). */
  readonly unsignedBytes: string
  /** When its bytes go stale, as far as can be told. */
  readonly validUntil: Date | null
  /** Solana: the blockhash of its bytes, and the height of the last block that can take them. */
  readonly blockhash: string | null
  readonly lastValidBlockHeight: number | null
  readonly canStillLand: boolean
  readonly txHash: string | null
  readonly submittedAt: Date | null
  readonly lastSeenAt: Date | null
  readonly blockNumber: number | null
  readonly blockHash: string | null
  /** Blocks on top of the including one, that one counted, as far as the chain is followed; `null` without a block. */
  readonly confirmations: number | null
  readonly finalizedAt: Date | null
  readonly failureCode: string | null
  readonly error: string | null
  readonly revertReason: string | null
}

type OperationRow = Selectable<Schema['operations']>
/** `head_number`: how far its chain is followed, where the selection reads it. */
export type TransactionRow = Selectable<Schema['transactions']> & { head_number?: number | null }

export function operationFrom(row: OperationRow, transactions: readonly OperationTransaction[]): Operation {
  return {
    organizationId: row.organization_id,
    operationId: row.id,
    walletId: row.wallet_id,
    strategyId: row.strategy_id,
    type: row.type,
    executor: row.executor,
    state: row.state,
    amount: row.amount,
    settledAmount: row.settled_amount,
    cancelledOperations: row.cancelled_operations,
    expiresAt: row.expires_at,
    failureReason: row.failure_reason,
    flagReason: row.flag_reason,
    opWalletId: row.op_wallet_id,
    origin: row.origin,
    reasons: row.reasons,
    plannedValue: row.planned_value,
    part: movePartFrom(row),
    requiredApprovals: row.required_approvals,
    approvalRule: row.approval_rule,
    approvedAt: row.approved_at,
    rejectedAt: row.rejected_at,
    actualApy: row.actual_apy,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    completedAt: row.completed_at,
    transactions,
  }
}

function movePartFrom({ move_total, move_remaining, catalogue_fingerprint }: OperationRow): MovePart | null {
  if (move_total === null || move_remaining === null || catalogue_fingerprint === null) return null
  return { total: move_total, remaining: move_remaining, catalogueFingerprint: catalogue_fingerprint }
}

export function transactionFrom(row: TransactionRow): OperationTransaction {
  return {
    transactionId: row.id,
    operationId: row.operation_id,
    position: row.position,
    kind: row.kind,
    state: row.state,
    blockchain: row.blockchain,
    sender: row.sender,
    description: row.description,
    call: callFromJson(row.call),
    nonce: row.nonce,
    unsignedBytes: row.unsigned_bytes ?? '',
    validUntil: row.valid_until,
    blockhash: row.blockhash,
    lastValidBlockHeight: row.last_valid_block_height,
    canStillLand: row.can_still_land,
    txHash: row.tx_hash,
    submittedAt: row.submitted_at,
    lastSeenAt: row.last_seen_at,
    blockNumber: row.block_number,
    blockHash: row.block_hash,
    confirmations: confirmationsOf(row),
    finalizedAt: row.finalized_at,
    failureCode: row.failure_code,
    error: row.error,
    revertReason: row.revert_reason,
  }
}

function confirmationsOf({ block_number, head_number, call }: TransactionRow): number | null {
  if (block_number === null || head_number == null) return null
  const blocks = Math.max(1, head_number - block_number + 1)
  return call.family === 'svm' ? Math.min(blocks, SVM_CONFIRMATIONS_MAX) : blocks
}

/** A slot that so many others have voted on is rooted: Solana counts no further (contract 1). */
const SVM_CONFIRMATIONS_MAX = 32

/** One of its transactions is pending: submitted, and neither final nor failed (contract 6). */
export function isInFlight(operation: Pick<Operation, 'transactions'>): boolean {
  return operation.transactions.some((transaction) => transaction.state === 'pending')
}

/** The last transaction was submitted: from here on the operation may take effect and cannot be called back. */
export function isLastSubmitted(operation: Pick<Operation, 'transactions'>): boolean {
  return operation.transactions.at(-1)?.submittedAt != null
}
