import { expect } from 'vitest'

/** Interest accrues, rounding takes a unit, and V2 vaults are asked by search. */
export function expectAbout(found: bigint, expected: bigint): void {
  expect(found).toBeGreaterThan(expected === 0n ? -1n : expected - expected / 100n)
  expect(found).toBeLessThanOrEqual(expected + expected / 1_000n)
}

/** What a venue can pay; where a limit `grows` with the chain's clock, three times as much takes minutes. */
export function expectPayable(found: bigint, payable: bigint, { grows = false }: { readonly grows?: boolean }): void {
  if (!grows) {
    expectAbout(found, payable)
    return
  }
  expect(found).toBeGreaterThanOrEqual(payable - 1n)
  expect(found).toBeLessThan(3n * payable)
}
