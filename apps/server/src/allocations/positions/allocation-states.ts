import type { AllocationStatus } from '../../database/index.ts'

/**
 * The allocation state machine as data (contract 8). The diagram in the docs and the tests are made from this table, and
 * `write-allocation.ts` is the only code that assigns a status.
 */
export type AllocationEvent = 'unwind_planned' | 'unwind_ended' | 'exiting' | 'emptied' | 'chain_reset'

export interface AllocationTransition {
  readonly from: AllocationStatus
  readonly event: AllocationEvent
  readonly to: AllocationStatus
  /** The event that the outbox gets in the same database transaction. */
  readonly emits?: 'allocation.closed'
}

/** A deposit opens an allocation in this state, and the outbox gets `allocation.created`. */
export const OPENING_STATUS: AllocationStatus = 'ACTIVE'

export const ALLOCATION_TRANSITIONS: readonly AllocationTransition[] = Object.freeze([
  { from: 'ACTIVE', event: 'unwind_planned', to: 'UNWINDING' },
  { from: 'UNWINDING', event: 'unwind_ended', to: 'ACTIVE' },
  // No share is left, and what was requested back has not been claimed (docs/exits.md).
  { from: 'ACTIVE', event: 'exiting', to: 'UNWINDING' },
  { from: 'ACTIVE', event: 'emptied', to: 'CLOSED', emits: 'allocation.closed' },
  { from: 'UNWINDING', event: 'emptied', to: 'CLOSED', emits: 'allocation.closed' },
  { from: 'ACTIVE', event: 'chain_reset', to: 'CLOSED' },
  { from: 'UNWINDING', event: 'chain_reset', to: 'CLOSED' },
])

/** The transition, or `undefined` where the event means nothing in that state. */
export function allocationTransition(from: AllocationStatus, event: AllocationEvent): AllocationTransition | undefined {
  return ALLOCATION_TRANSITIONS.find((transition) => transition.from === from && transition.event === event)
}

/** The states in which an event means something, and the one state that it leads to. */
export function statusChange(event: AllocationEvent): { from: readonly AllocationStatus[]; to: AllocationStatus } {
  const transitions = ALLOCATION_TRANSITIONS.filter((transition) => transition.event === event)
  return { from: transitions.map(({ from }) => from), to: transitions[0]!.to }
}
