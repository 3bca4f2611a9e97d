import fc from 'fast-check'
import { expect, test } from 'vitest'
import { kaminoVendor } from '../../../testing/venues/kamino-vendor.ts'
import { acceptedAmount, depositedSf, mintedShares, readReserve, redeemableAssets, sharesFor } from './index.ts'

/** The integer part. */
const floor = (decimal: string): bigint => BigInt(decimal.split('.')[0]!)

for (const { name, account, decoded, worth } of kaminoVendor.reserves) {
  const reserve = readReserve(decoded.address, Buffer.from(account, 'base64'))

  test(`${name}: shares and tokens convert at the vendor's rates, rounded down`, () => {
    for (const { amount, tokens, shares } of worth) {
      expect([amount, redeemableAssets(reserve, BigInt(amount))]).toEqual([amount, floor(tokens)])
      expect([amount, mintedShares(reserve, BigInt(amount))]).toEqual([amount, floor(shares)])
    }
  })
}

const u64 = (min: bigint, bits: bigint) => fc.bigInt({ min, max: (1n << bits) - 1n })
/** Reserves as large as any stablecoin's, from new ones to those whose shares are worth several tokens. */
const reserves = fc.record({
  available: u64(1n, 56n),
  borrowedSf: u64(0n, 116n),
  protocolFeesSf: u64(0n, 58n),
  referrerFeesSf: u64(0n, 58n),
  pendingReferrerFeesSf: u64(0n, 57n),
  shares: u64(1n, 56n),
})

test('depositing and redeeming never makes a gain, and a deposit takes at most the offered amount', () => {
  fc.assert(
    fc.property(reserves, u64(1n, 50n), (reserve, amount) => {
      const shares = mintedShares(reserve, amount)
      const paid = acceptedAmount(reserve, amount)
      expect(paid <= amount).toBe(true)
      expect(redeemableAssets(reserve, shares) <= paid).toBe(true)
    }),
  )
})

test('the shares for an amount are the fewest that redeem for it', () => {
  fc.assert(
    fc.property(reserves, u64(1n, 50n), (reserve, amount) => {
      const shares = sharesFor(reserve, amount)
      expect(redeemableAssets(reserve, shares) >= amount).toBe(true)
      expect(redeemableAssets(reserve, shares - 1n) < amount).toBe(true)
    }),
  )
})

test('what borrowers owe belongs to the depositors; fees do not', () => {
  const { account, decoded } = kaminoVendor.reserves[0]!
  const reserve = readReserve(decoded.address, Buffer.from(account, 'base64'))
  const { protocolFeesSf, referrerFeesSf, pendingReferrerFeesSf } = reserve
  expect(depositedSf(reserve) + protocolFeesSf + referrerFeesSf + pendingReferrerFeesSf).toBe(
    (reserve.available << 60n) + reserve.borrowedSf,
  )
  expect(redeemableAssets({ ...reserve, borrowedSf: reserve.borrowedSf * 2n }, 1_000_000n)).toBeGreaterThan(
    redeemableAssets(reserve, 1_000_000n),
  )
})
