import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { sum } from '../money/money.ts'
import { dayNumber, everyDay, labelsOf, STEPS, ticksOf } from './day-axis.ts'

let given: string | undefined
beforeEach(() => {
  given = process.env.TZ
})
afterEach(() => {
  if (given === undefined) delete process.env.TZ
  else process.env.TZ = given
})

const shown = (first: string, last: string, step: number) =>
  labelsOf(ticksOf(dayNumber(first), dayNumber(last), step)).map((label) => label.replace('\n', ' '))

// In Santiago a midnight of UTC can be an hour that its clocks skip.
test.each(['UTC', 'America/New_York', 'America/Santiago', 'Asia/Kolkata', 'Pacific/Kiritimati'])(
  'in a browser of %s each day is labelled as the day of UTC that it is',
  (zone) => {
    process.env.TZ = zone
    expect(shown('2026-10-30', '2026-11-02', 1)).toEqual(['30 Oct 2026', '31 Oct', '1 Nov', '2 Nov'])
    expect(shown('2026-10-30', '2026-11-14', 7)).toEqual(['30 Oct 2026', '6 Nov', '13 Nov'])
    expect(shown('2026-09-05', '2026-09-08', 1)).toEqual(['5 Sept 2026', '6 Sept', '7 Sept', '8 Sept'])
  },
)

test('over months the first of each is labelled, and each new year with its number', () => {
  expect(shown('2025-11-01', '2026-02-03', 31)).toEqual(['1 Nov 2025', '1 Dec', '1 Jan 2026', '1 Feb'])
  expect(shown('2025-11-02', '2026-08-01', 91)).toEqual(['1 Jan 2026', '1 Apr', '1 Jul'])
  expect(shown('2019-05-01', '2031-01-01', 1_826)).toEqual(['1 Jan 2020', '1 Jan 2025', '1 Jan 2030'])
})

test('every step has a tick in twice its length, none outside, and never two in one place', () => {
  for (const step of STEPS) {
    for (let first = dayNumber('2025-12-30'); first < dayNumber('2026-03-02'); first += 1) {
      const ticks = ticksOf(first, first + 2 * step, step)
      expect(ticks.length).toBeGreaterThan(0)
      expect(ticks.every((day) => Number.isInteger(day) && day >= first && day <= first + 2 * step)).toBe(true)
      expect(new Set(ticks).size).toBe(ticks.length)
    }
  }
})

test('days without a point are zeros, and days with one stay as they are', () => {
  const points = [
    { day: '2026-02-27', value: '7.00' },
    { day: '2026-03-01', value: '5.00' },
    { day: '2026-03-02', value: '0.00' },
  ]
  expect(everyDay(points)).toEqual([points[0], { day: '2026-02-28', value: '0.00' }, points[1], points[2]])
  expect(everyDay([])).toEqual([])
})

test('Property: each day from the first to the last one is there once, and the sum is the same', () => {
  const days = fc.uniqueArray(fc.integer({ min: dayNumber('2024-01-01'), max: dayNumber('2026-12-31') }))
  fc.assert(
    fc.property(days, fc.nat(), (numbers, value) => {
      const points = numbers
        .toSorted((a, b) => a - b)
        .map((each) => ({ day: new Date(each * 86_400_000).toISOString().slice(0, 10), value: `${value}.00` }))
      const filled = everyDay(points)
      const first = Math.min(...numbers)
      expect(filled.map(({ day }) => dayNumber(day))).toEqual(filled.map((_, at) => first + at))
      expect(sum(filled.map((each) => each.value))).toBe(sum(points.map((each) => each.value)))
      expect(filled.filter(({ day }) => points.some((each) => each.day === day))).toEqual(points)
    }),
  )
})
