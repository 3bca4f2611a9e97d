import type { AgentStage } from '../../database/index.ts'
import { type StateTransition, stateTable } from '../../kernel/index.ts'

/**
 * The place of an agent's transaction in the queue of its organization, as data. `move-agent-work.ts` runs on this
 * table and is the only code that assigns a stage; the diagram in docs/operations.md comes from it.
 *
 * - `waiting`: the transaction before it is in no block.
 * - `ready`: an agent may lease it now, and no agent ever had its bytes.
 * - `leased`: an agent has it until `leased_until`; after that another may lease it.
 * - `paused`: its bytes could not be issued; it may be leased again from `available_at`.
 * - `withheld`: an agent reported FAILED for bytes that others may hold; nobody gets them (rule 4).
 * - `sent`: submitted, and in no block.
 * - `done`: in a block, or its operation has ended.
 */
export type AgentWorkEvent =
  | 'claimed'
  | 'released_unissued'
  | 'released_issued'
  | 'paused'
  | 'withheld'
  | 'submitted'
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
  // A lease, or a pause, that has lapsed.
  ...t(['ready', 'leased', 'paused'], 'claimed', 'leased'),
  ...t(['leased'], 'released_unissued', 'ready'),
  ...t(['leased'], 'released_issued', 'paused'),
  ...t(['leased'], 'paused', 'paused'),
  ...t(['leased', 'paused', 'withheld'], 'withheld', 'withheld'),
  // The chain may show it whatever an agent reported.
  ...t(UNSUBMITTED, 'submitted', 'sent'),
  ...t(['sent'], 'refused', 'leased'),
  ...t(OPEN, 'landed', 'done'),
  ...t(OPEN, 'failed', 'done'),
  ...t(OPEN, 'operation_ended', 'done'),
  ...t(['done'], 'rolled_back', 'sent'),
])

/** The first transaction of an operation can be leased at once, each other when the one before it is in a block. */
export const firstAgentStage = (position: number): AgentStage => (position === 0 ? 'ready' : 'waiting')

/** What an event of one transaction means for the work of the next one in its operation. */
export const EVENT_OF_SUCCESSOR: Readonly<Partial<Record<AgentWorkEvent, AgentWorkEvent>>> = {
  submitted: 'predecessor_left_block',
  refused: 'predecessor_left_block',
  rolled_back: 'predecessor_left_block',
  landed: 'predecessor_landed',
}
