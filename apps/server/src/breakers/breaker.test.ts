import { expect, test } from 'vitest'
import { newBreaker, parseBreaker, storedBreakerOf } from './breaker.ts'

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
