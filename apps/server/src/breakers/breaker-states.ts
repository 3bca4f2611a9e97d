import type { BreakerState } from '../database/index.ts'
import { type StateTransition, stateTable } from '../kernel/index.ts'

export type BreakerEvent = 'tripped' | 'worsened' | 'recovered' | 'lost' | 'held' | 'accepted' | 'switched_off'

/** What the outbox gets in the same transaction. */
export type BreakerNotice = 'strategy.breaker_opened' | 'strategy.breaker_closed'

export interface BreakerTransition extends StateTransition<BreakerState, BreakerEvent> {
  readonly emits?: BreakerNotice
}

/**
 * The life of a circuit breaker as data. `advance-breaker.ts` runs on this table and is the only code that assigns a state;
 * the diagram in docs/risk.md is made from it. `open` and `recovering` stop deposits.
 */
export const BREAKER = stateTable<BreakerTransition>([
  { from: 'closed', event: 'tripped', to: 'open', emits: 'strategy.breaker_opened' },
  // Worse than what was announced: people who reviewed that have not seen this.
  { from: 'open', event: 'worsened', to: 'open', emits: 'strategy.breaker_opened' },
  { from: 'open', event: 'recovered', to: 'recovering' },
  { from: 'open', event: 'accepted', to: 'accepted', emits: 'strategy.breaker_closed' },
  { from: 'open', event: 'switched_off', to: 'closed', emits: 'strategy.breaker_closed' },
  { from: 'recovering', event: 'tripped', to: 'open' },
  { from: 'recovering', event: 'worsened', to: 'open', emits: 'strategy.breaker_opened' },
  // Its fact is unknown: the time for which it must be fine begins again.
  { from: 'recovering', event: 'lost', to: 'open' },
  { from: 'recovering', event: 'held', to: 'closed', emits: 'strategy.breaker_closed' },
  { from: 'recovering', event: 'accepted', to: 'closed', emits: 'strategy.breaker_closed' },
  { from: 'recovering', event: 'switched_off', to: 'closed', emits: 'strategy.breaker_closed' },
  // Worse than what was accepted.
  { from: 'accepted', event: 'tripped', to: 'open', emits: 'strategy.breaker_opened' },
  { from: 'accepted', event: 'recovered', to: 'closed' },
  { from: 'accepted', event: 'switched_off', to: 'closed' },
])

/** The states in which a breaker stops deposits. */
export const STOPPING: readonly BreakerState[] = ['open', 'recovering']
