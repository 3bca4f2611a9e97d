import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type RewardGrowth, rewardApy } from './reward-yield.ts'

const DAY = 86_400
const SCALE = 10n ** 15n
const WHOLE = 10n ** 18n
const DOLLAR = 10n ** 8n

/** 1% within 30 days: a hundredth of a token, worth a dollar, for each token. */
const month: RewardGrowth = {
  pastPrice: SCALE,
  pastIndex: 7n * SCALE,
  index: 7n * SCALE + SCALE / 100n,
  accrues: true,
  factor: WHOLE,
  rewardPrice: DOLLAR,
  tokenPrice: DOLLAR,
  seconds: 30 * DAY,
}

test('it is what the rewards of the period are worth against what the deposit was worth', () => {
  const gain = (growth: Partial<RewardGrowth>) =>
    Math.expm1(Math.log1p(rewardApy({ ...month, ...growth })!) * (30 / 365))
  expect(gain({})).toBeCloseTo(0.01, 12)
  expect(gain({ rewardPrice: 10n * DOLLAR })).toBeCloseTo(0.1, 12)
  expect(gain({ factor: WHOLE / 2n })).toBeCloseTo(0.005, 12)
  expect(gain({ pastPrice: 2n * SCALE })).toBeCloseTo(0.005, 12)
  expect(gain({ tokenPrice: DOLLAR / 2n })).toBeCloseTo(0.02, 12)
  expect(rewardApy(month)).toBeCloseTo(1.01 ** (365 / 30) - 1, 12)
})

test('it is null where one of the facts is not known', () => {
  for (const unknown of ['pastIndex', 'index', 'factor', 'rewardPrice', 'tokenPrice'])
    expect(rewardApy({ ...month, [unknown]: null }), unknown).toBeNull()
  expect(rewardApy({ ...month, pastPrice: 0n })).toBeNull()
  // Another market, or one that started over.
  expect(rewardApy({ ...month, index: 7n * SCALE - 1n })).toBeNull()
})

test('without a price it is zero only where nothing was paid and nothing is', () => {
  const idle = { ...month, index: month.pastIndex, factor: null, rewardPrice: null }
  expect(rewardApy({ ...idle, accrues: false })).toBe(0)
  expect(rewardApy({ ...idle, accrues: true })).toBeNull()
  expect(rewardApy({ ...idle, accrues: null })).toBeNull()
  expect(rewardApy({ ...month, accrues: false, rewardPrice: null })).toBeNull()
  expect(rewardApy({ ...month, accrues: false })).toBeCloseTo(1.01 ** (365 / 30) - 1, 12)
})

test('it is what a depositor of any size would claim and sell, by the arithmetic of the contracts', () => {
  const deposits = fc.record({
    held: fc.bigInt({ min: 10n ** 12n, max: 10n ** 18n }),
    pastPrice: fc.bigInt({ min: SCALE, max: 3n * SCALE }),
    growth: fc.bigInt({ min: SCALE / 1_000n, max: SCALE }),
    rewardPrice: fc.bigInt({ min: DOLLAR, max: 1_000n * DOLLAR }),
    factor: fc.bigInt({ min: WHOLE / 10n, max: 10n * WHOLE }),
  })
  fc.assert(
    fc.property(deposits, ({ held, pastPrice, growth, rewardPrice, factor }) => {
      // As Comet tracks, and CometRewards pays a token with 18 decimals for a principal with 6.
      const accrued = (held * growth) / SCALE
      const paid = (accrued * 10n ** 12n * factor) / WHOLE
      const sold = (paid * rewardPrice) / 10n ** 20n
      const deposit = (held * pastPrice) / SCALE
      const expected = Number(sold) / Number(deposit)
      const index = month.pastIndex! + growth
      const apy = rewardApy({ ...month, pastPrice, index, rewardPrice, factor, seconds: 365 * DAY })!
      if (expected < 100) expect(Math.abs(apy - expected)).toBeLessThan(expected * 1e-6 + 1e-9)
    }),
  )
})

test('more time, more growth and a better price never make it less', () => {
  const amount = fc.bigInt({ min: 0n, max: SCALE })
  fc.assert(
    fc.property(amount, amount, (less, more) => {
      const [low, high] = less < more ? [less, more] : [more, less]
      const at = (growth: bigint) => rewardApy({ ...month, index: month.pastIndex! + growth })!
      expect(at(low)).toBeLessThanOrEqual(at(high))
      expect(at(low)).toBeGreaterThanOrEqual(0)
    }),
  )
})
