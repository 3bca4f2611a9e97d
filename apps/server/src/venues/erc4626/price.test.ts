import fc from 'fast-check'
import { test } from 'vitest'
import { PRICE_SCALE, sharesToAssets } from './price.ts'

/** An OpenZeppelin vault: its totals, and the virtual share offset that its rounding uses. */
const vaults = fc.record({
  assets: fc.bigInt({ min: 0n, max: 10n ** 24n }),
  supply: fc.bigInt({ min: 0n, max: 10n ** 36n }),
  offset: fc.constantFrom(1n, 10n ** 6n, 10n ** 12n),
})
const redeem = (vault: { assets: bigint; supply: bigint; offset: bigint }, shares: bigint) =>
  (shares * (vault.assets + 1n)) / (vault.supply + vault.offset)

test('a position is never valued above what it redeems for, and at most one base unit below', () => {
  fc.assert(
    fc.property(vaults, fc.bigInt({ min: 0n, max: PRICE_SCALE }), (vault, shares) => {
      const shown = sharesToAssets(shares, redeem(vault, PRICE_SCALE))
      const paid = redeem(vault, shares)
      return shown === paid || shown === paid - 1n
    }),
  )
})

test('the parts of a position are never worth more than the whole', () => {
  const shares = fc.bigInt({ min: 0n, max: 10n ** 28n })
  fc.assert(
    fc.property(vaults, shares, shares, (vault, one, other) => {
      const price = redeem(vault, PRICE_SCALE)
      return sharesToAssets(one, price) + sharesToAssets(other, price) <= sharesToAssets(one + other, price)
    }),
  )
})
