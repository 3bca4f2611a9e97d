import { expect, test } from 'vitest'
import { dayOf, problemOfDay } from './as-of.ts'

const LAST = '2026-11-26'

test('today and later days are refused with the last day that is over', () => {
  for (const day of ['2026-11-27', '2030-01-01']) {
    expect(dayOf(day, LAST)).toBeUndefined()
    expect(problemOfDay(day, LAST)).toBe('The last day is 2026-11-26')
  }
  expect(problemOfDay('1999-12-31', LAST)).toBe('The first day is 2020-01-01')
})

test('a day that is taken, or not typed to its end, is no problem', () => {
  for (const text of [LAST, '2020-01-01', '', '0002-01-01', '2026-11', '2026-13-40', undefined, 7])
    expect(problemOfDay(text, LAST), String(text)).toBeUndefined()
})
