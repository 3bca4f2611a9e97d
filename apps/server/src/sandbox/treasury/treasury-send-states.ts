import type { TreasurySendState } from '../../database/index.ts'
import { type StateTransition, stateTable } from '../../kernel/index.ts'

/** What the chain says: it is in a block and succeeded or reverted there, or it is in none and can no longer land. */
export type TreasurySendEvent = 'succeeded' | 'reverted' | 'went_stale'

export const STORED_SEND_STATE: TreasurySendState = 'stored'

const t = (from: TreasurySendState, event: TreasurySendEvent, to: TreasurySendState) => ({ from, event, to })

/**
 * The life of a payment whose bytes are stored, as data: `treasury-sends.ts` runs on this table and is the only code that
 * assigns a state; the diagram in docs/transitions.md is made from it. No state is the last: a block with the payment can
 * drop out of the chain, and a node that lags calls a payment stale that another node has in a block.
 */
export const TREASURY_SEND = stateTable<StateTransition<TreasurySendState, TreasurySendEvent>>([
  t('stored', 'succeeded', 'included'),
  t('stored', 'reverted', 'failed'),
  t('stored', 'went_stale', 'failed'),
  // In the same block again, or in another one.
  t('included', 'succeeded', 'included'),
  t('included', 'reverted', 'failed'),
  t('included', 'went_stale', 'failed'),
  t('failed', 'succeeded', 'included'),
  t('failed', 'reverted', 'failed'),
  t('failed', 'went_stale', 'failed'),
])
