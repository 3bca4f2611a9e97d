import { expect, test } from 'vitest'
import { breakerFrom, newBreaker, observationText, parseBreaker, storedBreakerOf } from './breaker.ts'

const AT = new Date('2026-01-01T00:00:00Z')
const closed = newBreaker({ organizationId: 1, strategyId: 2, kind: 'depeg' })
const stored = storedBreakerOf(closed)

test('a breaker is stored as it was read, with the fields of its state', () => {
  const opened = { ...stored, openedAt: AT }
  for (const one of [
    stored,
    { ...opened, state: 'open' },
    { ...opened, state: 'recovering', fineSince: AT },
    { ...opened, state: 'accepted', acceptedMeasure: 7 },
  ] as const)
    expect(storedBreakerOf(parseBreaker(one))).toEqual(one)
  expect(parseBreaker(stored)).toMatchObject(closed)
})

test('a row that breaks the promise of its state is refused', () => {
  for (const state of ['open', 'recovering', 'accepted'] as const)
    expect(() => parseBreaker({ ...stored, state, fineSince: AT })).toThrow('has opened')
  expect(() => parseBreaker({ ...stored, state: 'recovering', openedAt: AT })).toThrow('since when')
})

test('what was announced is a percentage or the fingerprint of code, and nothing that was announced before it opened', () => {
  const announced = { measure: 305, code: 'f00d', at: AT }
  expect(observationText('depeg', announced)).toBe('3.05')
  expect(observationText('upgrade', announced)).toBe('f00d')
  for (const kind of ['depeg', 'upgrade'] as const) expect(observationText(kind, null)).toBeNull()
  const row = {
    organization_id: 1,
    strategy_id: 2,
    kind: 'depeg',
    state: 'open',
    measure: 305,
    accepted_measure: null,
    accepted_code: null,
    observed_measure: 305,
    observed_code: null,
    fine_since: null,
    updated_at: AT,
  } as const
  const observed = { measure: 305, code: null, at: AT }
  expect(breakerFrom({ ...row, observed_at: AT, opened_at: AT })).toMatchObject({ observed })
  const later = new Date(AT.getTime() + 1)
  expect(breakerFrom({ ...row, observed_at: AT, opened_at: later })).toMatchObject({ observed: null })
})
