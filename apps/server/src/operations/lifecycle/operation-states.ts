import type { OperationState } from '../../database/index.ts'
import { stateTable } from '../../kernel/index.ts'

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

export type FailureReason = 'CANCELLED' | 'SUPERSEDED' | 'EXPIRED' | 'ONCHAIN' | 'SUBMISSION' | 'REJECTED' | 'ABORTED'

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
  reservation: Transition['reservation'],
  consequences: Pick<Transition, 'emits' | 'failureReason' | 'decision'> = {},
): Transition => ({ from, event, to, reservation, ...consequences })

export const INITIAL_STATE: OperationState = 'PLANNING'

const OPERATIONS = stateTable<Transition>([
  t('PLANNING', 'approval_required', 'PENDING_APPROVAL', 'keep'),
  t('PLANNING', 'ready', 'EXECUTING', 'keep', { emits: ['operation.executing'] }),
  t('PLANNING', 'aborted', 'ABORTED', 'release', { emits: ['operation.failed'], failureReason: 'ABORTED' }),
  t('PENDING_APPROVAL', 'approved', 'EXECUTING', 'keep', {
    emits: ['operation.approved', 'operation.executing'],
    decision: 'approved',
  }),
  t('PENDING_APPROVAL', 'rejected', 'REJECTED', 'release', {
    emits: ['operation.rejected'],
    failureReason: 'REJECTED',
    decision: 'rejected',
  }),
  t('PENDING_APPROVAL', 'aborted', 'ABORTED', 'release', { emits: ['operation.failed'], failureReason: 'ABORTED' }),
  t('EXECUTING', 'all_submitted', 'CONFIRMING', 'keep'),
  t('EXECUTING', 'chain_failed', 'FAILED', 'release', { emits: ['operation.failed'], failureReason: 'ONCHAIN' }),
  t('EXECUTING', 'agent_failed', 'FAILED', 'release', { emits: ['operation.failed'], failureReason: 'SUBMISSION' }),
  t('EXECUTING', 'expired', 'FAILED', 'release', { emits: ['operation.failed'], failureReason: 'EXPIRED' }),
  t('EXECUTING', 'cancelled', 'ABORTED', 'release', { emits: ['operation.failed'], failureReason: 'CANCELLED' }),
  t('EXECUTING', 'superseded', 'ABORTED', 'release', { emits: ['operation.failed'], failureReason: 'SUPERSEDED' }),
  t('EXECUTING', 'aborted', 'ABORTED', 'release', { emits: ['operation.failed'], failureReason: 'ABORTED' }),
  t('EXECUTING', 'all_final', 'COMPLETED', 'settle', { emits: ['operation.completed'] }),
  t('CONFIRMING', 'submission_refused', 'EXECUTING', 'keep'),
  t('CONFIRMING', 'all_final', 'COMPLETED', 'settle', { emits: ['operation.completed'] }),
  t('CONFIRMING', 'chain_failed', 'FAILED', 'release', { emits: ['operation.failed'], failureReason: 'ONCHAIN' }),
  t('FAILED', 'landed_late', 'COMPLETED', 'settle', { emits: ['operation.completed'] }),
  t('ABORTED', 'landed_late', 'COMPLETED', 'settle', { emits: ['operation.completed'] }),
])

export const TRANSITIONS = OPERATIONS.transitions

/** The transition, or `undefined` if the state has none for the event. */
export function transitionFor(from: OperationState, event: OperationEvent): Transition | undefined {
  return OPERATIONS.find(from, event)
}

/** States that an operation leaves only by a late landing, if at all (rule 2). */
export const TERMINAL: readonly OperationState[] = ['COMPLETED', 'FAILED', 'REJECTED', 'ABORTED']
export const UNFINISHED: readonly OperationState[] = ['PLANNING', 'PENDING_APPROVAL', 'EXECUTING', 'CONFIRMING']

export const isUnfinished = (state: OperationState): boolean => UNFINISHED.includes(state)
