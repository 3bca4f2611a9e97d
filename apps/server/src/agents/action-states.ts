import type { AgentActionStatus } from '../database/index.ts'
import { type StateTransition, stateTable } from '../kernel/index.ts'

export type AgentActionEvent = 'leased' | 'succeeded' | 'failed'

/** A member requests an action in this state. */
export const REQUESTED_STATUS: AgentActionStatus = 'PENDING'

/**
 * The life of an agent action as data. `advance-action.ts` runs on this table and is the only code that assigns a status;
 * the diagram in docs/transitions.md is made from it.
 */
export const AGENT_ACTION = stateTable<StateTransition<AgentActionStatus, AgentActionEvent>>([
  // Again, when a lease lapses without a report.
  { from: 'PENDING', event: 'leased', to: 'PENDING' },
  { from: 'PENDING', event: 'succeeded', to: 'SUCCESS' },
  { from: 'PENDING', event: 'failed', to: 'FAILED' },
])
