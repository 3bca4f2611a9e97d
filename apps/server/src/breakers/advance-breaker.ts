import type { Tx } from '../database/index.ts'
import { assert } from '../kernel/index.ts'
import { type Breaker, parseBreaker, type StoredBreaker, storedBreakerOf } from './breaker.ts'
import { BREAKER, type BreakerEvent, type BreakerTransition, STOPPING } from './breaker-states.ts'

/** The only code that assigns the state of a circuit breaker, by the table in `breaker-states.ts`. */

export interface BreakerMove {
  readonly event: BreakerEvent
  readonly measure: number | null
  /** `upgrade`: the fingerprint of the code now. It is what is announced, or becomes the known one when somebody accepts. */
  readonly code?: string | null
  readonly at: Date
}

export interface MovedBreaker {
  readonly breaker: Breaker
  readonly emits: BreakerTransition['emits']
}

/** Applies an event to a breaker whose organization the caller has locked. One without a transition is a defect. */
export async function advanceBreaker(tx: Tx, breaker: Breaker, move: BreakerMove): Promise<MovedBreaker> {
  const { event, measure, code = null, at } = move
  const transition = BREAKER.find(breaker.state, event)
  assert(transition !== undefined, `a circuit breaker that is ${breaker.state} cannot be ${event}`)
  const moved: StoredBreaker = {
    ...storedBreakerOf(breaker),
    state: transition.to,
    measure,
    acceptedMeasure: transition.to === 'accepted' ? measure : null,
    acceptedCode: event === 'accepted' && code !== null ? code : breaker.acceptedCode,
    observed: transition.emits === 'strategy.breaker_opened' ? { measure, code, at } : breaker.observed,
    openedAt: transition.to === 'open' && !STOPPING.includes(breaker.state) ? at : breaker.openedAt,
    fineSince: transition.to === 'recovering' ? at : null,
  }
  await saveBreaker(tx, moved, at)
  return { breaker: parseBreaker(moved), emits: transition.emits }
}

/** Stores the code that counts as known, for a breaker that never saw any. */
export async function acceptFirstCode(tx: Tx, breaker: Breaker, code: string, at: Date): Promise<void> {
  await saveBreaker(tx, { ...storedBreakerOf(breaker), acceptedCode: code }, at)
}

async function saveBreaker(tx: Tx, breaker: StoredBreaker, at: Date): Promise<void> {
  const { organizationId, strategyId, kind } = breaker
  const stored = {
    state: breaker.state,
    measure: breaker.measure,
    accepted_measure: breaker.acceptedMeasure,
    accepted_code: breaker.acceptedCode,
    observed_measure: breaker.observed?.measure ?? null,
    observed_code: breaker.observed?.code ?? null,
    observed_at: breaker.observed?.at ?? null,
    opened_at: breaker.openedAt,
    fine_since: breaker.fineSince,
    updated_at: at,
  }
  await tx
    .insertInto('circuit_breakers')
    .values({ organization_id: organizationId, strategy_id: strategyId, kind, ...stored })
    .onConflict((conflict) => conflict.columns(['organization_id', 'strategy_id', 'kind']).doUpdateSet(stored))
    .execute()
}

/** Makes the next evaluation regard the code that it finds as known. */
export async function clearAcceptedCode(tx: Tx, organizationId: number, at: Date): Promise<void> {
  await tx
    .updateTable('circuit_breakers')
    .set({ accepted_code: null, updated_at: at })
    .where('organization_id', '=', organizationId)
    .where('kind', '=', 'upgrade')
    .execute()
}
