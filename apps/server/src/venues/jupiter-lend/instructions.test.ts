import { expect, test } from 'vitest'
import { jupiterVendor } from '../../../testing/venues/jupiter-vendor.ts'
import { associatedTokenAddress } from '../../chains/index.ts'
import { LIVE_JUPITER_SEED } from '../catalogue/live-jupiter-seeds.ts'
import { deposit, type LendingAccounts, redeem, withdraw } from './instructions.ts'
import { LENDING_PROGRAM, marketAddresses } from './program.ts'

test('the recorded instructions come from a named release of the vendor’s SDK and call the configured program', () => {
  expect(jupiterVendor.vendor).toMatch(/^@jup-ag\/lend \d+\.\d+\.\d+$/)
  expect(jupiterVendor.program).toBe(LENDING_PROGRAM)
})

test.each(jupiterVendor.samples)('$amount $token: every account is the vendor’s', async (vendor) => {
  const { addresses, tokenAddress, owner } = vendor
  const market = await marketAddresses(tokenAddress)
  expect(market).toEqual({
    token: addresses.mint,
    lendingAdmin: addresses.lendingAdmin,
    lending: addresses.lending,
    shareMint: addresses.fTokenMint,
    reserve: addresses.supplyTokenReservesLiquidity,
    position: addresses.lendingSupplyPositionOnLiquidity,
    rateModel: addresses.rateModel,
    vault: addresses.vault,
    claim: addresses.claimAccount,
    liquidity: addresses.liquidity,
    liquidityProgram: addresses.liquidityProgram,
    rewardsRateModel: addresses.rewardsRateModel,
  })
  expect(await associatedTokenAddress(owner, tokenAddress)).toBe(addresses.recipientTokenAccount)
  expect(await associatedTokenAddress(owner, market.shareMint)).toBe(addresses.ownerTokenAccount)
})

test.each(jupiterVendor.samples)(
  '$amount $token: every instruction has the vendor’s accounts and bytes',
  async (vendor) => {
    const { owner, addresses, tokenAddress } = vendor
    const accounts: LendingAccounts = {
      market: await marketAddresses(tokenAddress),
      owner,
      tokenAccount: addresses.recipientTokenAccount!,
      shareAccount: addresses.ownerTokenAccount!,
    }
    const amount = BigInt(vendor.amount)
    expect(deposit(accounts, amount)).toEqual(vendor.deposit)
    expect(withdraw(accounts, amount)).toEqual(vendor.withdraw)
    expect(redeem(accounts, amount)).toEqual(vendor.redeem)
    for (const beyond of [1n << 64n, -1n]) expect(() => deposit(accounts, beyond)).toThrow(RangeError)
  },
)

test('the live catalogue has the vendor’s markets and share mints', () => {
  for (const { tokenAddress, params } of LIVE_JUPITER_SEED.strategies) {
    const { addresses } = jupiterVendor.samples.find((sample) => sample.tokenAddress === tokenAddress)!
    expect(params).toEqual({
      program: jupiterVendor.program,
      lending: addresses.lending,
      shareMint: addresses.fTokenMint,
    })
  }
})
