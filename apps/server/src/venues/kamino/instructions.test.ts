import { expect, test } from 'vitest'
import { kaminoVendor } from '../../../testing/venues/kamino-vendor.ts'
import { associatedTokenAddress, TOKEN_PROGRAM } from '../../chains/index.ts'
import {
  depositReserveLiquidity,
  KAMINO_PROGRAM,
  lendingMarketAuthority,
  type ReserveAccounts,
  readReserve,
  redeemReserveCollateral,
  refreshReserve,
} from './index.ts'

test('the recorded instructions come from a named release of the vendor’s SDK and call the configured program', () => {
  expect(kaminoVendor.vendor).toMatch(/^@kamino-finance\/klend-sdk \d+\.\d+\.\d+$/)
  expect(kaminoVendor.program).toBe(KAMINO_PROGRAM)
})

for (const { name, account, decoded, authority, refresh, samples } of kaminoVendor.reserves) {
  const reserve = readReserve(decoded.address, Buffer.from(account, 'base64'))

  test(`${name}: refreshing has the vendor’s accounts and bytes, including omitted oracles`, () => {
    expect(refreshReserve(reserve)).toEqual(refresh)
  })

  test(`${name}: the market’s authority is the vendor’s`, async () => {
    expect(await lendingMarketAuthority(reserve.lendingMarket)).toBe(authority)
  })

  for (const { owner, tokenAccount, shareAccount, amount, deposit, redeem } of samples) {
    const accounts: ReserveAccounts = { reserve, authority, owner, tokenAccount, shareAccount }

    test(`${name}: depositing ${amount} has the vendor’s accounts and bytes`, () => {
      expect(depositReserveLiquidity(accounts, BigInt(amount))).toEqual(deposit)
    })

    test(`${name}: redeeming ${amount} has the vendor’s accounts and bytes`, () => {
      expect(redeemReserveCollateral(accounts, BigInt(amount))).toEqual(redeem)
    })

    test(`${name}: the token accounts for ${amount} are the vendor’s`, async () => {
      expect(await associatedTokenAddress(owner, reserve.collateralMint)).toBe(shareAccount)
      const ours = await associatedTokenAddress(owner, reserve.liquidityMint)
      expect(ours === tokenAccount).toBe(reserve.liquidityProgram === TOKEN_PROGRAM)
    })
  }
}

test('an amount beyond 64 bits is refused', () => {
  const { account, decoded, authority, samples } = kaminoVendor.reserves[0]!
  const reserve = readReserve(decoded.address, Buffer.from(account, 'base64'))
  const accounts: ReserveAccounts = { reserve, authority, ...samples[0]! }
  expect(() => depositReserveLiquidity(accounts, 1n << 64n)).toThrow(RangeError)
  expect(() => redeemReserveCollateral(accounts, -1n)).toThrow(RangeError)
})
