import type { Selectable } from 'kysely'
import type {
  Executor,
  FailureReason,
  MovePurpose,
  OperationOrigin,
  OperationState,
  OperationType,
  Schema,
} from '../../../database/index.ts'
import type { Actor, AuditedActor } from '../../../identity/index.ts'
import { isUnfinished, type TerminalState, type UnfinishedState } from './operation-states.ts'
import { isSubmitted, type OperationTransaction } from './transaction.ts'

/** The fields that an operation has in every state. Amounts in base units. */
export interface OperationFields {
  readonly organizationId: number
  readonly operationId: number
  readonly walletId: number
  readonly strategyId: number
  readonly type: OperationType
  readonly executor: Executor
  /** `null`: the whole position. */
  readonly amount: bigint | null
  readonly cancelledOperations: readonly number[]
  readonly expiresAt: Date | null
  readonly flagReason: string | null
  /** The operational wallet that it serves; `null`: planned by a client on v1. */
  readonly opWalletId: number | null
  readonly origin: OperationOrigin
  /** Whether Weir chose the strategy of a deployment that was requested without one. */
  readonly isStrategyChosen: boolean
  /** Why this move, strategy and amount: what the rebalancer compared (contract 10). For people only. */
  readonly reasons: Record<string, unknown> | null
  /** The amount that it moves; for a whole position, its value at planning. `null`: planned by a client on v1. */
  readonly plannedValue: bigint | null
  /** Its part in a larger move; `null`: the operation is the whole move. */
  readonly part: MovePart | null
  /** Who requested it; `null` if it was planned before requesters were stored. */
  readonly requestedBy: AuditedActor | null
  /** The member whose approval does not count, where the requester is a service account: who holds its secret. */
  readonly requesterUserId: number | null
  readonly requiredApprovals: number
  /** Whether the approval policy lets the requester approve; read when the operation was planned. */
  readonly requesterMayApprove: boolean
  readonly approvalRule: string | null
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly transactions: readonly OperationTransaction[]
}

/** When the last required approval arrived; `null`: none was required. */
interface Approved {
  readonly approvedAt: Date | null
}

interface Ended {
  readonly completedAt: Date
}

interface WithoutEffect extends Ended {
  readonly failureReason: FailureReason
}

interface Completed extends Approved, Ended {
  /** The amount that moved; `null`: the chain did not reveal it. */
  readonly settledAmount: bigint | null
  /** Decimal fraction (contract 1); `null`: not known yet. */
  readonly actualApy: number | null
  /** Why it had ended without effect before it landed late; otherwise `null`. */
  readonly failureReason: FailureReason | null
}

interface States {
  PLANNING: object
  PENDING_APPROVAL: object
  EXECUTING: Approved
  CONFIRMING: Approved
  COMPLETED: Completed
  FAILED: Approved & WithoutEffect
  ABORTED: Approved & WithoutEffect
  REJECTED: WithoutEffect & { readonly rejectedAt: Date }
}

/** An operation in one state, with the fields that exist in it. */
export type OperationIn<State extends OperationState> = {
  [Each in State]: OperationFields & { readonly state: Each } & States[Each]
}[State]

/**
 * An operation with its transactions; its state determines which other fields it has. Verbs return it and both surfaces
 * present it.
 */
export type Operation = OperationIn<OperationState>
export type UnfinishedOperation = OperationIn<UnfinishedState>
export type EndedOperation = OperationIn<TerminalState>
export type RejectedOperation = OperationIn<'REJECTED'>

export const hasEnded = (operation: Operation): operation is EndedOperation => !isUnfinished(operation.state)

/** When the last required approval arrived; `null` if none was required, or one is missing. */
export const approvedAtOf = (operation: Operation): Date | null =>
  'approvedAt' in operation ? operation.approvedAt : null

/**
 * An operation as stored. Fields that do not belong to its state are present and `null`: one object shape for all states
 * is fastest to read, and the types hide those fields.
 */
export interface StoredOperation extends OperationFields {
  readonly state: OperationState
  readonly failureReason: FailureReason | null
  readonly settledAmount: bigint | null
  readonly approvedAt: Date | null
  readonly rejectedAt: Date | null
  readonly completedAt: Date | null
  readonly actualApy: number | null
}

/** An operation in the state that its first event leads to. */
export function newOperation(fields: OperationFields, state: OperationState): Operation {
  const stored: StoredOperation = {
    ...fields,
    state,
    failureReason: null,
    settledAmount: null,
    approvedAt: null,
    rejectedAt: null,
    completedAt: null,
    actualApy: null,
  }
  return stored as Operation
}

/** The position of an operation in a move that has several parts. Amounts in base units. */
export interface MovePart {
  readonly total: bigint
  /** The amount left for the parts after this one. */
  readonly remaining: bigint
  /** The state of the catalogue that the move was planned from; `null`: it depends on none. */
  readonly catalogueFingerprint: string | null
  /** What it is planned for; `null`: it was planned before that was stored. */
  readonly purpose: MovePurpose | null
}

type OperationRow = Selectable<Schema['operations']>
export function operationFrom(row: OperationRow, transactions: readonly OperationTransaction[]): Operation {
  const stored: StoredOperation = {
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
    isStrategyChosen: row.is_strategy_chosen,
    reasons: row.reasons,
    plannedValue: row.planned_value,
    part: movePartFrom(row),
    requestedBy: requesterFrom(row),
    requesterUserId: row.requester_user_id,
    requiredApprovals: row.required_approvals,
    requesterMayApprove: row.requester_may_approve,
    approvalRule: row.approval_rule,
    approvedAt: row.approved_at,
    rejectedAt: row.rejected_at,
    actualApy: row.actual_apy,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    completedAt: row.completed_at,
    transactions,
  }
  return stored as Operation
}

export function requesterFrom({
  requested_by_type: type,
  requested_by_id: id,
}: Pick<OperationRow, 'requested_by_type' | 'requested_by_id'>): Actor | null {
  return type === null ? null : { type, id }
}

function movePartFrom({ move_total, move_remaining, catalogue_fingerprint, purpose }: OperationRow): MovePart | null {
  if (move_total === null || move_remaining === null) return null
  return { total: move_total, remaining: move_remaining, catalogueFingerprint: catalogue_fingerprint, purpose }
}

/** The type that surfaces, approval policies and agents know: a revocation is the last step of a supply that ended. */
export const publicTypeOf = (type: OperationType): 'SUPPLY' | 'UNWIND' => (type === 'REVOKE' ? 'SUPPLY' : type)

/** Whether Weir deposits where it chose to, and nobody named the strategy. */
export const isOwnChoice = ({
  origin,
  isStrategyChosen = false,
}: Pick<OperationFields, 'origin'> & Partial<Pick<OperationFields, 'isStrategyChosen'>>): boolean =>
  origin === 'rebalancer' || isStrategyChosen

/** Which part of a withdrawal that takes time it is; `undefined`: none. */
export function exitStepOf({ transactions }: Pick<Operation, 'transactions'>): 'request' | 'claim' | undefined {
  if (transactions.some(({ kind }) => kind === 'exit_request')) return 'request'
  return transactions.some(({ kind }) => kind === 'exit_claim') ? 'claim' : undefined
}

/** Whether one of its transactions is pending: submitted, and neither final nor failed (contract 6). */
export function isInFlight(operation: Pick<Operation, 'transactions'>): boolean {
  return operation.transactions.some((transaction) => transaction.status === 'pending')
}

/** Whether the last transaction was submitted: from here on the operation may take effect and cannot be cancelled. */
export function isLastSubmitted(operation: Pick<Operation, 'transactions'>): boolean {
  const last = operation.transactions.at(-1)
  return last !== undefined && isSubmitted(last)
}
