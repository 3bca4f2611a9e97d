// Also tested elsewhere: on a chain (../share-vault/share-vault.test.ts), and with the vendor's interest (../kamino/interest.test.ts).
import { expect, test } from 'vitest'
import { maxPlannedWithdrawal } from './max-planned-withdrawal.ts'
import { PRICE_SCALE } from './price.ts'

const UNIT = 1_000_000n
const market = { withdrawable: 300n * UNIT, held: 300n * UNIT, apy: 0.05, price: PRICE_SCALE }

test('a withdrawal leaves the market a day of interest and the rounding of a share', () => {
  const spared = 300n * UNIT - maxPlannedWithdrawal(market)
  // ln(1.05) / 365 of 300 tokens, and three base units.
  expect(spared).toBeGreaterThan(40_101n)
  expect(spared).toBeLessThan(40_108n)
  expect(maxPlannedWithdrawal({ ...market, apy: -0.5 })).toBe(300n * UNIT - 3n)
})

test('a position that the market can pay with its interest is asked for in full', () => {
  expect(maxPlannedWithdrawal({ ...market, withdrawable: 299n * UNIT })).toBe(299n * UNIT)
})

test('a market that holds next to nothing, or pays nothing, gets no request', () => {
  expect(maxPlannedWithdrawal({ ...market, withdrawable: 2n, held: 2n })).toBe(0n)
  expect(maxPlannedWithdrawal({ ...market, withdrawable: 0n })).toBe(0n)
})
