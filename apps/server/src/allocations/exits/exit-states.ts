import type { ExitState } from '../../database/index.ts'
import { type StateTransition, stateTable } from '../../kernel/index.ts'

export type ExitEvent = 'matured' | 'waits_again' | 'emptied' | 'chain_reset'

/** What the outbox gets in the same transaction. */
export type ExitNotice = 'exit.pending' | 'exit.claimable' | 'exit.claimed'

export interface ExitTransition extends StateTransition<ExitState, ExitEvent> {
  readonly emits?: ExitNotice
}

/** A request opens an exit in this state, and the outbox gets `exit.pending`. */
export const OPENING_EXIT_STATE: ExitState = 'pending'

/**
 * The life of an exit as data: `write-exits.ts` runs on this table and is the only code that assigns a state; the diagram
 * in docs/exits.md is made from it.
 */
export const EXIT = stateTable<ExitTransition>([
  { from: 'pending', event: 'matured', to: 'claimable', emits: 'exit.claimable' },
  // All that could be claimed was claimed, or another request made it wait from the start again.
  { from: 'claimable', event: 'waits_again', to: 'pending', emits: 'exit.pending' },
  { from: 'pending', event: 'emptied', to: 'claimed', emits: 'exit.claimed' },
  { from: 'claimable', event: 'emptied', to: 'claimed', emits: 'exit.claimed' },
  { from: 'pending', event: 'chain_reset', to: 'claimed' },
  { from: 'claimable', event: 'chain_reset', to: 'claimed' },
])

/** What the amounts mean for an exit in this state; `undefined`: nothing. Base units. */
export function exitEventOf(
  state: ExitState,
  { pending, claimable }: { readonly pending: bigint; readonly claimable: bigint },
): ExitEvent | undefined {
  if (pending + claimable === 0n) return 'emptied'
  if (state === 'pending' && claimable > 0n) return 'matured'
  return state === 'claimable' && claimable === 0n ? 'waits_again' : undefined
}
