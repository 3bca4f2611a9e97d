import type { AllocationStatus } from '../../database/index.ts'
import { type StateTransition, stateTable } from '../../kernel/index.ts'

/** The statuses of an allocation that holds something. */
export type OpenStatus = Exclude<AllocationStatus, 'CLOSED'>

export type AllocationEvent = 'unwind_planned' | 'unwind_ended' | 'exiting' | 'emptied' | 'chain_reset'

export interface AllocationTransition extends StateTransition<AllocationStatus, AllocationEvent> {
  /** The event that the outbox gets in the same database transaction. */
  readonly emits?: 'allocation.closed'
}

/** A deposit opens an allocation in this state, and the outbox gets `allocation.created`. */
export const OPENING_STATUS = 'ACTIVE' satisfies OpenStatus

/**
 * The life of an allocation as data (contract 8). `write-allocation.ts` runs on this table and is the only code that
 * assigns a status; the diagram in docs/operations.md is made from it.
 */
export const ALLOCATION = stateTable<AllocationTransition>([
  { from: 'ACTIVE', event: 'unwind_planned', to: 'UNWINDING' },
  { from: 'UNWINDING', event: 'unwind_ended', to: 'ACTIVE' },
  // No share is left, and what was requested back has not been claimed (docs/exits.md).
  { from: 'ACTIVE', event: 'exiting', to: 'UNWINDING' },
  { from: 'ACTIVE', event: 'emptied', to: 'CLOSED', emits: 'allocation.closed' },
  { from: 'UNWINDING', event: 'emptied', to: 'CLOSED', emits: 'allocation.closed' },
  { from: 'ACTIVE', event: 'chain_reset', to: 'CLOSED' },
  { from: 'UNWINDING', event: 'chain_reset', to: 'CLOSED' },
])

/** The states in which an event means something, and the one state that it leads to. */
export function statusChange(event: AllocationEvent): { from: readonly AllocationStatus[]; to: AllocationStatus } {
  const from = ALLOCATION.statesBefore(event)
  return { from, to: ALLOCATION.find(from[0]!, event)!.to }
}
