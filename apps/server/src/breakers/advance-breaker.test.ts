// Also tested elsewhere: each event over stored facts (evaluate-breakers.test.ts, accept-breaker.test.ts).
import { beforeEach, expect, test } from 'vitest'
import { useStore } from '../../testing/operations/use-store.ts'
import { advanceBreaker } from './advance-breaker.ts'
import { newBreaker, parseBreaker, storedBreakerOf } from './breaker.ts'
import { BREAKER, STOPPING } from './breaker-states.ts'

const store = useStore()
let organizationId: number
beforeEach(async () => {
  organizationId = await store.organization()
})

test('every transition is stored, and only those that stop or allow deposits, or make it worse, emit', async () => {
  const key = { organizationId, strategyId: store.strategy.id, kind: 'depeg' } as const
  for (const { from, event, to } of BREAKER.transitions) {
    const at = store.clock.now()
    const times = { openedAt: from === 'closed' ? null : at, fineSince: from === 'recovering' ? at : null }
    const before = parseBreaker({ ...storedBreakerOf(newBreaker(key)), state: from, ...times })
    const { breaker, emits } = await store.tx((tx) => advanceBreaker(tx, before, { event, measure: 7, code: 'c', at }))
    expect(breaker.state).toBe(to)
    const stored = await store.db.selectFrom('circuit_breakers').selectAll().executeTakeFirstOrThrow()
    expect(stored).toMatchObject({ state: to, measure: 7, fine_since: to === 'recovering' ? at : null })
    // What it announces is what is accepted.
    expect(breaker.observed).toEqual(emits === 'strategy.breaker_opened' ? { measure: 7, code: 'c', at } : null)
    const [stopped, stops] = [STOPPING.includes(from), STOPPING.includes(to)]
    if (event === 'worsened') expect(emits).toBe('strategy.breaker_opened')
    else
      expect(emits).toBe(stopped === stops ? undefined : stops ? 'strategy.breaker_opened' : 'strategy.breaker_closed')
  }
})

test('an event without a transition is a defect', async () => {
  const closed = newBreaker({ organizationId, strategyId: store.strategy.id, kind: 'depeg' })
  const move = { event: 'held', measure: null, at: store.clock.now() } as const
  await expect(store.tx((tx) => advanceBreaker(tx, closed, move))).rejects.toThrow('cannot be held')
})

test('the database refuses a row that breaks the promise of its state, because readers rely on it', async () => {
  const key = {
    organization_id: organizationId,
    strategy_id: store.strategy.id,
    kind: 'depeg',
    updated_at: store.clock.now(),
  } as const
  for (const row of [{ state: 'open' }, { state: 'recovering', opened_at: store.clock.now() }] as const)
    await expect(
      store.db
        .insertInto('circuit_breakers')
        .values({ ...key, ...row })
        .execute(),
    ).rejects.toMatchObject({ constraint: 'circuit_breakers_state_fields' })
})
