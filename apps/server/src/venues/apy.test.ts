import { expect, test } from 'vitest'
import { apyFromGrowth, apyFromRate, SECONDS_PER_YEAR } from './apy.ts'

test('a rate that accrues every second compounds over the year', () => {
  expect(apyFromRate(0)).toBe(0)
  expect(apyFromRate(0.05)).toBeCloseTo(Math.exp(0.05) - 1, 9)
})

test('growth is annualized with compounding: a year is unchanged, half a year is squared', () => {
  expect(apyFromGrowth(1_000n, 1_050n, SECONDS_PER_YEAR)).toBeCloseTo(0.05, 12)
  expect(apyFromGrowth(1_000n, 1_050n, SECONDS_PER_YEAR / 2)).toBeCloseTo(0.1025, 12)
})

test('the growth of one day survives the rounding of large prices', () => {
  const price = 1_234_567_890_123_456_789_012_345_678n
  const after = price + price / 7_300n
  expect(apyFromGrowth(price, after, 86_400)).toBeCloseTo((1 + 1 / 7_300) ** 365 - 1, 9)
})

test('a loss is negative, a total loss is -1, and an absurd jump stays a finite number', () => {
  expect(apyFromGrowth(1_000n, 900n, SECONDS_PER_YEAR)).toBeCloseTo(-0.1, 12)
  expect(apyFromGrowth(1_000n, 0n, SECONDS_PER_YEAR)).toBe(-1)
  expect(apyFromGrowth(1n, 10n ** 30n, 86_400)).toBe(100)
})

test('without a past price or elapsed time, growth is zero', () => {
  expect(apyFromGrowth(0n, 5n, 86_400)).toBe(0)
  expect(apyFromGrowth(5n, 6n, 0)).toBe(0)
})
