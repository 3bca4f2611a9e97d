import { expect, test } from 'vitest'
import { payableTogether } from './read-exposures.ts'

const vault = (liquidity: bigint | null) => ({ protocol: 'erc4626', liquidity })
const pool = (liquidity: bigint | null) => ({ protocol: 'aave-v3', liquidity })

test('positions in one pool never count its liquidity twice', () => {
  expect(payableTogether([30n, 30n, 10n], pool(30n))).toBe(30n)
  expect(payableTogether([30n, 30n], pool(100n))).toBe(60n)
  expect(payableTogether([], pool(100n))).toBe(0n)
})

test('one position can withdraw what its reading says, whatever the pool showed earlier', () => {
  expect(payableTogether([30n], pool(null))).toBe(30n)
  expect(payableTogether([30n], vault(0n))).toBe(30n)
})

test('a vault that lends everything on certainly pays the largest reading, and no sum of them', () => {
  expect(payableTogether([30n, 20n], vault(0n))).toBe(30n)
  expect(payableTogether([30n, 20n], vault(45n))).toBe(45n)
  expect(payableTogether([30n, 20n], vault(1_000n))).toBe(50n)
})
