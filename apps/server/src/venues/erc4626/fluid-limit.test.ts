import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fluidSlots, fluidWithdrawable, isFluidPaused } from './fluid-limit.ts'

const UNIT = 1_000_000n
const ONE = 10n ** 12n

interface Stored {
  readonly supply: bigint
  readonly limit: bigint
  readonly updated: bigint
  readonly percent?: bigint
  readonly duration?: bigint
}

/** Amounts below 2^56 have the exponent 0. */
const wordsOf = ({ supply, limit, updated, percent = 2_000n, duration = 1_000n }: Stored) => {
  const word = 1n | (supply << 9n) | (limit << 73n) | (updated << 129n) | (percent << 162n) | (duration << 176n)
  return { status: 1n, prices: 0n, supply: word }
}

test('the slots are those of the mappings 5 and 8', () => {
  const slots = fluidSlots('0x9Fb7b4477576Fe5B32be4C1843aFB1e55F251B33', '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48')
  expect(slots).toEqual({
    status: `0x${'1'.padStart(64, '0')}`,
    prices: '0xa8e1248eddf82e10c0adc6c737b6d8da17674abf51801ea5a4549f41c2dfdf21',
    supply: '0x9d4def7286a4ebc4ac55f8b0df348c30c2a6689e31f26c88ed2ca9f32314dc9e',
  })
})

test('the limit falls evenly from its stored value to the supply without the part that may leave', () => {
  const words = wordsOf({ supply: 1_000n * UNIT, limit: 1_000n * UNIT, updated: 50_000n })
  const at = (elapsed: bigint) => fluidWithdrawable(words, ONE, 50_000n + elapsed) / UNIT
  expect([0n, 1n, 500n, 1_000n, 1_001n, 10n ** 9n].map(at)).toEqual([0n, 0n, 100n, 200n, 200n, 200n])
  expect(fluidWithdrawable(words, ONE, 50_001n)).toBe(200_000n)
})

test('without a stored limit everything can leave; with more supply than before, what came can', () => {
  expect(fluidWithdrawable(wordsOf({ supply: 9n, limit: 0n, updated: 0n }), ONE, 1n)).toBe(9n)
  expect(fluidWithdrawable(wordsOf({ supply: 1_100n, limit: 1_000n, updated: 7n }), ONE, 7n)).toBe(100n)
})

test('amounts are in units of the price, rounded down', () => {
  const words = wordsOf({ supply: 1_000n, limit: 999n, updated: 7n })
  expect(fluidWithdrawable(words, (ONE * 3n) / 2n, 7n)).toBe(1n)
})

test('an amount of more than 56 bits has an exponent', () => {
  const supply = 1n | (((5n << 8n) | 60n) << 1n)
  expect(fluidWithdrawable({ status: 1n, prices: 0n, supply }, ONE, 0n)).toBe(5n << 60n)
})

test('no stored word leads to more than the supply, or to less than nothing', () => {
  const word = fc.bigInt({ min: 0n, max: 2n ** 200n - 1n })
  fc.assert(
    fc.property(word, fc.bigInt({ min: 0n, max: 2n ** 34n }), (supply, time) => {
      const held = ((supply >> 9n) & (2n ** 56n - 1n)) << ((supply >> 1n) & 0xffn)
      const found = fluidWithdrawable({ status: 1n, prices: 0n, supply }, ONE, time)
      return found >= 0n && found <= held
    }),
  )
})

test('the contract, the token and the fToken are each paused by themselves', () => {
  const open = { status: 1n, prices: 3n << 100n, supply: 1n }
  expect(isFluidPaused(open)).toBe(false)
  expect(isFluidPaused({ ...open, status: 2n })).toBe(true)
  expect(isFluidPaused({ ...open, prices: 1n << 255n })).toBe(true)
  expect(isFluidPaused({ ...open, supply: 1n << 255n })).toBe(true)
})
