import { expect } from 'vitest'

/** Interest accrues, rounding takes a unit, and V2 vaults are asked by search. */
export function expectAbout(found: bigint, expected: bigint): void {
  expect(found).toBeGreaterThan(expected === 0n ? -1n : expected - expected / 100n)
  expect(found).toBeLessThanOrEqual(expected + expected / 1_000n)
}
