import type { AwaitedState } from '../../database/index.ts'
import { type StateTransition, stateTable } from '../../kernel/index.ts'

export type AwaitedEvent = 'fetched' | 'cancelled' | 'rejected'

export const OPENING_AWAITED_STATE: AwaitedState = 'open'

/** The life of an awaited withdrawal as data: `write-awaited.ts` runs on this table and is the only code that assigns a state. */
export const AWAITED = stateTable<StateTransition<AwaitedState, AwaitedEvent>>([
  { from: 'open', event: 'fetched', to: 'fetched' },
  { from: 'open', event: 'cancelled', to: 'cancelled' },
  // An approver who rejects one of its operations rejects the withdrawal.
  { from: 'open', event: 'rejected', to: 'rejected' },
])
