import type { AgentStage } from '../../../database/index.ts'
import { type StateTransition, stateTable } from '../../../kernel/index.ts'

/**
 * The stage of an agent's transaction in its organization's queue, as data. `advance-agent-work.ts` runs on this table and
 * is the only code that assigns a stage; the diagram in docs/transitions.md is generated from it.
 *
 * - `waiting`: the preceding transaction is not in a block.
 * - `ready`: an agent may lease it now, and no agent has ever had its bytes.
 * - `leased`: an agent has it until `leased_until`; then another may lease it.
 * - `paused`: its bytes could not be issued; it may be leased again from `available_at`.
 * - `withheld`: an agent reported FAILED for bytes that others may have, or a circuit breaker or a limit stopped their
 *   deployment; they are not issued again (rule 4).
 * - `sent`: submitted, and not in a block. If that lasts, it is leased again, for a replacement with higher fees.
 * - `done`: in a block, or its operation has ended.
 */
export type AgentWorkEvent =
  | 'claimed'
  | 'released_unissued'
  | 'released_issued'
  | 'paused'
  | 'withheld'
  | 'submitted'
  | 'stuck'
  | 'deferred'
  | 'refused'
  | 'landed'
  | 'failed'
  | 'rolled_back'
  | 'operation_ended'
  | 'predecessor_landed'
  | 'predecessor_left_block'

export type AgentWorkTransition = StateTransition<AgentStage, AgentWorkEvent>

const UNSUBMITTED: readonly AgentStage[] = ['waiting', 'ready', 'leased', 'paused', 'withheld']
const OPEN: readonly AgentStage[] = [...UNSUBMITTED, 'sent']

const t = (from: readonly AgentStage[], event: AgentWorkEvent, to: AgentStage): AgentWorkTransition[] =>
  from.map((stage) => ({ from: stage, event, to }))

export const AGENT_WORK = stateTable([
  ...t(['waiting'], 'predecessor_landed', 'ready'),
  ...t(['ready'], 'predecessor_left_block', 'waiting'),
  // The caller claims `leased` and `paused` work only after the lease or the pause has lapsed.
  ...t(['ready', 'leased', 'paused'], 'claimed', 'leased'),
  ...t(['leased'], 'released_unissued', 'ready'),
  ...t(['leased'], 'released_issued', 'paused'),
  ...t(['leased'], 'paused', 'paused'),
  ...t(['leased', 'paused', 'withheld'], 'withheld', 'withheld'),
  // The chain may show the transaction regardless of what an agent reported.
  ...t(UNSUBMITTED, 'submitted', 'sent'),
  ...t(['sent'], 'stuck', 'paused'),
  // No replacement now: it pays as much as it may, or the agent does not send it.
  ...t(['leased', 'paused'], 'deferred', 'sent'),
  ...t(['sent'], 'refused', 'leased'),
  ...t(OPEN, 'landed', 'done'),
  ...t(OPEN, 'failed', 'done'),
  ...t(OPEN, 'operation_ended', 'done'),
  ...t(['done'], 'rolled_back', 'sent'),
])

/** The first transaction of an operation can be leased at once, every other one when its predecessor is in a block. */
export const firstAgentStage = (position: number): AgentStage => (position === 0 ? 'ready' : 'waiting')

/** The event that an event of one transaction causes for the work of the next one in its operation. */
export const EVENT_OF_SUCCESSOR: Readonly<Partial<Record<AgentWorkEvent, AgentWorkEvent>>> = {
  submitted: 'predecessor_left_block',
  refused: 'predecessor_left_block',
  rolled_back: 'predecessor_left_block',
  landed: 'predecessor_landed',
}
