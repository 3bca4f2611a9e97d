import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isOutsideHours, isTimezone, minutesOf, weekdayOf } from './hours.ts'
import type { OutsideHours } from './policy.ts'

const office: OutsideHours = { timezone: 'Europe/Berlin', from: '08:00', to: '18:00', days: ['mon', 'fri'] }
const outside = (hours: Partial<OutsideHours>, at: string) => isOutsideHours({ ...office, ...hours }, new Date(at))

describe('hours within a day', () => {
  // 2026-01-05 is a Monday; Berlin is one hour ahead of UTC in winter.
  test.each([
    ['2026-01-05T06:59:59Z', true],
    ['2026-01-05T07:00:00Z', false],
    ['2026-01-05T16:59:59.999Z', false],
    ['2026-01-05T17:00:00Z', true],
    ['2026-01-06T10:00:00Z', true],
    ['2026-01-09T10:00:00Z', false],
    ['2026-01-10T10:00:00Z', true],
  ])('at %s: outside %s', (at, expected) => {
    expect(outside({}, at)).toBe(expected)
  })

  test('the day is that of the time zone, not of UTC', () => {
    const tokyo = { timezone: 'Asia/Tokyo', from: '00:00', to: '24:00', days: ['mon'] }
    expect(outside(tokyo, '2026-01-04T15:00:00Z')).toBe(false)
    expect(outside(tokyo, '2026-01-05T15:00:00Z')).toBe(true)
  })
})

describe('hours over midnight belong to the day on which they begin', () => {
  const night = { from: '22:00', to: '06:00', days: ['fri'] }
  // 2026-01-09 is a Friday.
  test.each([
    ['2026-01-09T04:59:00Z', true],
    ['2026-01-09T20:59:00Z', true],
    ['2026-01-09T21:00:00Z', false],
    ['2026-01-10T04:59:59Z', false],
    ['2026-01-10T05:00:00Z', true],
    ['2026-01-10T21:30:00Z', true],
  ])('at %s: outside %s', (at, expected) => {
    expect(outside(night, at)).toBe(expected)
  })

  test('Sunday’s hours reach into Monday, and equal ends mean 24 hours', () => {
    expect(outside({ ...night, days: ['sun'] }, '2026-01-12T04:00:00Z')).toBe(false)
    const round = { from: '09:00', to: '09:00', days: ['mon'] }
    expect(outside(round, '2026-01-05T07:59:00Z')).toBe(true)
    expect(outside(round, '2026-01-05T08:00:00Z')).toBe(false)
    expect(outside(round, '2026-01-06T07:59:00Z')).toBe(false)
    expect(outside(round, '2026-01-06T08:00:00Z')).toBe(true)
  })
})

describe('summer time', () => {
  test('the same wall clock is another instant in summer', () => {
    // 2026-07-06 is a Monday; Berlin is two hours ahead of UTC.
    expect(outside({}, '2026-07-06T05:59:00Z')).toBe(true)
    expect(outside({}, '2026-07-06T06:00:00Z')).toBe(false)
    expect(outside({}, '2026-07-06T16:00:00Z')).toBe(true)
  })

  test('when clocks go forward, hours that begin in the missing hour begin after it', () => {
    // Sunday 2026-03-29: 02:00 becomes 03:00 at 01:00 UTC.
    const hours = { from: '02:30', to: '04:00', days: ['sun'] }
    expect(outside(hours, '2026-03-29T00:59:59Z')).toBe(true)
    expect(outside(hours, '2026-03-29T01:00:00Z')).toBe(false)
    expect(outside(hours, '2026-03-29T02:00:00Z')).toBe(true)
  })

  test('when clocks go back, the repeated hour counts both times', () => {
    // Sunday 2026-10-25: 03:00 becomes 02:00 at 01:00 UTC.
    const hours = { from: '02:00', to: '03:00', days: ['sun'] }
    expect(outside(hours, '2026-10-24T23:59:00Z')).toBe(true)
    expect(outside(hours, '2026-10-25T00:30:00Z')).toBe(false)
    expect(outside(hours, '2026-10-25T01:30:00Z')).toBe(false)
    expect(outside(hours, '2026-10-25T02:00:00Z')).toBe(true)
  })
})

test('days and times are accepted in every documented form, and in no other', () => {
  expect(['sun', 'Monday', 'TUE', 3, 7, 0].map(weekdayOf)).toEqual([0, 1, 2, 3, 0, 0])
  expect(['', 'm', 'mond', -1, 8, 1.5, Number.NaN].map(weekdayOf)).toEqual(Array(7).fill(undefined))
  expect(['00:00', '09:30', '24:00'].map(minutesOf)).toEqual([0, 570, 1_440])
  expect(['9:30', '24:01', '12:60', '12:00:00', ''].map(minutesOf)).toEqual(Array(5).fill(undefined))
  expect(['Europe/Berlin', 'UTC', 'America/New_York'].map(isTimezone)).toEqual([true, true, true])
  expect(['', '+02:00', 'Mars/Base', '\0'].map(isTimezone)).toEqual([false, false, false, false])
})

const minute = fc.integer({ min: 0, max: 1_439 })
const clock = (at: number) => `${String(Math.floor(at / 60)).padStart(2, '0')}:${String(at % 60).padStart(2, '0')}`
const instant = fc.date({
  min: new Date('2020-01-01T00:00:00Z'),
  max: new Date('2035-01-01T00:00:00Z'),
  noInvalidDate: true,
})
const zone = fc.constantFrom('Europe/Berlin', 'America/New_York', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'UTC')

test('hours and their complement cover every instant of the week exactly once', () => {
  fc.assert(
    fc.property(zone, minute, minute, instant, (timezone, a, b, at) => {
      fc.pre(a !== b)
      const days = [1, 2, 3, 4, 5, 6, 7]
      const here = isOutsideHours({ timezone, from: clock(a), to: clock(b), days }, at)
      const there = isOutsideHours({ timezone, from: clock(b), to: clock(a), days }, at)
      expect(here).toBe(!there)
    }),
  )
})
