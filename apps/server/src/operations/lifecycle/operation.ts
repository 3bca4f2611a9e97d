import type { Selectable } from 'kysely'
import type { Executor, OperationOrigin, OperationState, OperationType, Schema } from '../../database/index.ts'
import { isSubmitted, type OperationTransaction } from './transaction.ts'

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

type OperationRow = Selectable<Schema['operations']>
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

/** One of its transactions is pending: submitted, and neither final nor failed (contract 6). */
export function isInFlight(operation: Pick<Operation, 'transactions'>): boolean {
  return operation.transactions.some((transaction) => transaction.status === 'pending')
}

/** The last transaction was submitted: from here on the operation may take effect and cannot be called back. */
export function isLastSubmitted(operation: Pick<Operation, 'transactions'>): boolean {
  const last = operation.transactions.at(-1)
  return last !== undefined && isSubmitted(last)
}
