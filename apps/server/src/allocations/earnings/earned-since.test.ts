import { expect, test } from 'vitest'
import { type CumulativeYield, earnedSince } from './earned-since.ts'

const at = (time: string) => new Date(`2026-03-${time}Z`)

/** 1,000 an hour since noon of the first day, with snapshots at midnight and a reading at one in the morning. */
const readings: readonly CumulativeYield[] = [
  { at: at('01T12:00'), cumulative: 0n },
  { at: at('02T00:00'), cumulative: 12_000n },
  { at: at('03T00:00'), cumulative: 36_000n },
  { at: at('04T00:00'), cumulative: 60_000n },
  { at: at('04T01:00'), cumulative: 61_000n },
]

test('the last day is 24 hours of yield at any hour, not the yield since midnight', () => {
  expect(earnedSince(readings, at('03T01:00'))).toBe(24_000n)
  expect(earnedSince(readings, at('02T01:00'))).toBe(48_000n)
})

test('everything that a younger position earned counts, to the unit', () => {
  expect(earnedSince(readings, at('01T12:00'))).toBe(61_000n)
  expect(earnedSince(readings, new Date(0))).toBe(61_000n)
})

test('nothing is earned after the last reading, and nothing without one', () => {
  expect(earnedSince(readings, at('04T01:00'))).toBe(0n)
  expect(earnedSince(readings, at('20T00:00'))).toBe(0n)
  expect(earnedSince([], at('01T00:00'))).toBe(0n)
})
