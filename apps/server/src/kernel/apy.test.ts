import { expect, test } from 'vitest'
import { apyFromGain, apyFromGrowth, apyFromRate, averageApy, gainFromApy } from './apy.ts'
import { DAY_MS, YEAR_MS } from './durations.ts'

const YEAR = YEAR_MS / 1_000

test('a rate that accrues every second compounds over the year', () => {
  expect(apyFromRate(0)).toBe(0)
  expect(apyFromRate(0.05)).toBeCloseTo(Math.exp(0.05) - 1, 9)
})

test('growth is annualized with compounding: a year is unchanged, half a year is squared', () => {
  expect(apyFromGrowth(1_000n, 1_050n, YEAR)).toBeCloseTo(0.05, 12)
  expect(apyFromGrowth(1_000n, 1_050n, YEAR / 2)).toBeCloseTo(0.1025, 12)
  expect(apyFromGain(0.05, YEAR_MS / 2)).toBeCloseTo(0.1025, 12)
})

test('the growth of one day survives the rounding of large prices', () => {
  const price = 1_234_567_890_123_456_789_012_345_678n
  const after = price + price / 7_300n
  expect(apyFromGrowth(price, after, 86_400)).toBeCloseTo((1 + 1 / 7_300) ** 365 - 1, 9)
})

test('a loss is negative, a total loss is -1, and an absurd jump stays a finite number', () => {
  expect(apyFromGrowth(1_000n, 900n, YEAR)).toBeCloseTo(-0.1, 12)
  expect(apyFromGrowth(1_000n, 0n, YEAR)).toBe(-1)
  expect(apyFromGain(-1.5, DAY_MS)).toBe(-1)
  expect(apyFromGrowth(1n, 10n ** 30n, 86_400)).toBe(100)
})

test('without a past price or elapsed time, growth is zero', () => {
  expect(apyFromGrowth(0n, 5n, 86_400)).toBe(0)
  expect(apyFromGrowth(5n, 6n, 0)).toBe(0)
  expect(apyFromGain(0.1, 0)).toBe(0)
})

test('what an APY gains in some days is annualized to the same APY', () => {
  for (const apy of [-0.4, 0, 0.0001, 0.05, 3])
    for (const days of [1, 30, 365, 730]) {
      expect(apyFromGain(gainFromApy(apy, days), days * DAY_MS)).toBeCloseTo(apy, 9)
    }
  expect(gainFromApy(-1, 1)).toBe(-1)
})

test('the APY of several positions is their mean weighted by value, and zero without value', () => {
  const rates = [
    { apy: 0.04, value: 300n },
    { apy: 0.08, value: 100n },
    { apy: 9, value: 0n },
  ]
  expect(averageApy(rates)).toBeCloseTo(0.05, 12)
  expect(averageApy([])).toBe(0)
  expect(averageApy([{ apy: 0.05, value: 0n }])).toBe(0)
})
