import type { FailureReason, OperationState } from '../../../database/index.ts'
import { stateTable } from '../../../kernel/index.ts'

/**
 * The operation state machine as data (contract 8). Handlers, the diagram in the docs, the enums in OpenAPI and the
 * tests derive from these tables. Only `advance-operations.ts`, which runs on them, assigns a state.
 */
export type OperationEvent =
  | 'approval_required'
  | 'ready'
  | 'approved'
  | 'rejected'
  | 'all_submitted'
  | 'submission_refused'
  | 'all_final'
  | 'chain_failed'
  | 'agent_failed'
  | 'expired'
  | 'cancelled'
  | 'superseded'
  | 'aborted'
  | 'landed_late'

export interface Transition {
  readonly from: OperationState
  readonly event: OperationEvent
  readonly to: OperationState
  /** What happens to the reservation, in the same database transaction. */
  readonly reservation: 'keep' | 'release' | 'settle'
  /** The events written to the outbox, in the same database transaction. */
  readonly emits?: readonly string[]
  readonly failureReason?: FailureReason
  /** The approval decision whose time the operation stores. */
  readonly decision?: 'approved' | 'rejected'
}

const t = (
  from: OperationState,
  event: OperationEvent,
  to: OperationState,
  consequences: Omit<Transition, 'from' | 'event' | 'to'>,
): Transition => ({ from, event, to, ...consequences })

const failedWith = (failureReason: FailureReason) =>
  ({ reservation: 'release', emits: ['operation.failed'], failureReason }) as const

export const INITIAL_STATE: OperationState = 'PLANNING'

const OPERATIONS = stateTable<Transition>([
  t('PLANNING', 'approval_required', 'PENDING_APPROVAL', { reservation: 'keep' }),
  t('PLANNING', 'ready', 'EXECUTING', { reservation: 'keep', emits: ['operation.executing'] }),
  t('PLANNING', 'aborted', 'ABORTED', failedWith('ABORTED')),
  t('PENDING_APPROVAL', 'approved', 'EXECUTING', {
    reservation: 'keep',
    emits: ['operation.approved', 'operation.executing'],
    decision: 'approved',
  }),
  t('PENDING_APPROVAL', 'rejected', 'REJECTED', {
    reservation: 'release',
    emits: ['operation.rejected'],
    failureReason: 'REJECTED',
    decision: 'rejected',
  }),
  t('PENDING_APPROVAL', 'aborted', 'ABORTED', failedWith('ABORTED')),
  t('EXECUTING', 'all_submitted', 'CONFIRMING', { reservation: 'keep' }),
  t('EXECUTING', 'chain_failed', 'FAILED', failedWith('ONCHAIN')),
  t('EXECUTING', 'agent_failed', 'FAILED', failedWith('SUBMISSION')),
  t('EXECUTING', 'expired', 'FAILED', failedWith('EXPIRED')),
  t('EXECUTING', 'cancelled', 'ABORTED', failedWith('CANCELLED')),
  t('EXECUTING', 'superseded', 'ABORTED', failedWith('SUPERSEDED')),
  t('EXECUTING', 'aborted', 'ABORTED', failedWith('ABORTED')),
  t('EXECUTING', 'all_final', 'COMPLETED', { reservation: 'settle', emits: ['operation.completed'] }),
  t('CONFIRMING', 'submission_refused', 'EXECUTING', { reservation: 'keep' }),
  t('CONFIRMING', 'all_final', 'COMPLETED', { reservation: 'settle', emits: ['operation.completed'] }),
  t('CONFIRMING', 'chain_failed', 'FAILED', failedWith('ONCHAIN')),
  t('FAILED', 'landed_late', 'COMPLETED', { reservation: 'settle', emits: ['operation.completed'] }),
  t('ABORTED', 'landed_late', 'COMPLETED', { reservation: 'settle', emits: ['operation.completed'] }),
])

export const TRANSITIONS = OPERATIONS.transitions

/** The transition, or `undefined` if the state has none for the event. */
export function transitionFor(from: OperationState, event: OperationEvent): Transition | undefined {
  return OPERATIONS.find(from, event)
}

/** States that an operation leaves only by a late landing, if at all (rule 2). */
export const TERMINAL = ['COMPLETED', 'FAILED', 'REJECTED', 'ABORTED'] as const satisfies readonly OperationState[]
export type TerminalState = (typeof TERMINAL)[number]
export type UnfinishedState = Exclude<OperationState, TerminalState>
export const UNFINISHED: readonly UnfinishedState[] = ['PLANNING', 'PENDING_APPROVAL', 'EXECUTING', 'CONFIRMING']

export const isUnfinished = (state: OperationState): state is UnfinishedState =>
  UNFINISHED.some((unfinished) => unfinished === state)
