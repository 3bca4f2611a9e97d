import { afterAll, beforeAll, expect, test } from 'vitest'
import { type SolanaKey, startTestSolana, type TestSolana } from '../../../testing/chains/test-solana.ts'
import { type SvmIncludedTransaction, svmCall } from '../../chains/index.ts'
import { seedsFromDeployment } from '../catalogue/deployment-seeds.ts'
import { ContractUnavailableError } from '../contract-unavailable.ts'
import type { Strategy } from '../port.ts'
import { readPositions } from '../read-positions.ts'
import { shareVault } from './index.ts'

const UNIT = 1_000_000n
const DAY = 86_400
let solana: TestSolana
let usdc: Strategy
beforeAll(async () => {
  solana = await startTestSolana()
  const [venue] = seedsFromDeployment(solana.devnet.deployment)
  usdc = { ...venue!.strategies[0]!, id: 1, protocol: 'share-vault', blockchain: 'solana' } as unknown as Strategy
})
afterAll(() => solana?.stop())

const supply = async (key: SolanaKey, amount: bigint): Promise<SvmIncludedTransaction> => {
  const plan = { strategy: usdc, owner: key.address, amount, needsZeroAllowance: false }
  const [step, ...others] = await shareVault.planSupply(solana.chain, plan)
  expect(others).toEqual([])
  return solana.send(key, svmCall(step!.call).instructions)
}
const unwind = async (key: SolanaKey, amount: bigint | 'full'): Promise<SvmIncludedTransaction> => {
  const plan = { strategy: usdc, owner: key.address, amount, shares: await sharesOf(key) }
  const [step] = await shareVault.planUnwind(solana.chain, plan)
  return solana.send(key, svmCall(step!.call).instructions)
}
const sharesOf = async ({ address }: SolanaKey, at?: number) =>
  (await shareVault.shares(solana.chain, [{ strategy: usdc, owner: address }], at))[0]!
const priceAt = async (at?: number) => (await shareVault.prices(solana.chain, [usdc], at))[0]!
const tokenBalance = async ({ address }: SolanaKey) =>
  (await solana.chain.balances([{ owner: address, token: usdc.tokenAddress }]))[0]!

test('an account that is no vault makes only its own positions unreadable', async () => {
  const { address } = await solana.wallet(usdc.tokenAddress, UNIT)
  const broken = { ...usdc, id: 2, params: { ...usdc.params, vault: address } }
  await expect(shareVault.prices(solana.chain, [broken])).rejects.toBeInstanceOf(ContractUnavailableError)
  const queries = [usdc, broken].map((strategy) => ({ strategy, owner: address }))
  expect(await readPositions(solana.chain, queries)).toMatchObject([{ shares: 0n }, undefined])
})

test('a deposit, a year, a partial and a full withdrawal move exactly what the venue computes, and leave no share', async () => {
  const key = await solana.wallet(usdc.tokenAddress, 1_000n * UNIT)
  const supplied = await supply(key, 1_000n * UNIT)
  expect(supplied.succeeded).toBe(true)
  const shares = await sharesOf(key)
  expect(shareVault.netMovement(usdc, key.address, supplied)).toEqual({
    direction: 'in',
    assets: 1_000n * UNIT,
    shares,
  })
  expect(await tokenBalance(key)).toBe(0n)

  await solana.devnet.increaseTime(365 * DAY)
  const value = shareVault.valueOf(shares, await priceAt())
  expect(value).toBeGreaterThan(1_049n * UNIT)
  // The seconds that the test takes earn some base units, too.
  expect(value).toBeLessThan(1_050n * UNIT + 1_000n)

  const partial = await unwind(key, 400n * UNIT)
  const moved = shareVault.netMovement(usdc, key.address, partial)!
  expect(moved).toEqual({ direction: 'out', assets: await tokenBalance(key), shares: shares - (await sharesOf(key)) })
  expect(moved.assets - 400n * UNIT).toBeGreaterThanOrEqual(0n)
  expect(moved.assets - 400n * UNIT).toBeLessThan(100n)

  const before = shareVault.valueOf(await sharesOf(key), await priceAt())
  const full = await unwind(key, 'full')
  const { assets } = shareVault.netMovement(usdc, key.address, full)!
  expect(await sharesOf(key)).toBe(0n)
  // The second that passes until it lands earns a little more.
  expect(assets).toBeGreaterThanOrEqual(before)
  expect(await tokenBalance(key)).toBe(moved.assets + assets)
  expect(shareVault.netMovement(usdc, solana.treasury.address, full)).toBeUndefined()
})

test('the price is what the program pays, or one unit below', async () => {
  const key = await solana.wallet(usdc.tokenAddress, 777n * UNIT)
  await supply(key, 776_543_210n)
  await solana.devnet.increaseTime(12_345)
  const shares = await sharesOf(key)
  const paid = await unwind(key, 'full')
  const price = await priceAt(paid.blockNumber)
  const { assets } = shareVault.netMovement(usdc, key.address, paid)!
  const worth = shareVault.valueOf(shares, price)
  expect(assets - worth).toBeGreaterThanOrEqual(0n)
  expect(assets - worth).toBeLessThanOrEqual(1n)
})

test('rates report the vault’s own rate, and prices follow the clock of the requested block', async () => {
  const { number, timestamp } = await solana.devnet.mine(1)
  const block = { number, time: new Date(timestamp * 1_000) }
  const [rates] = await shareVault.rates(solana.chain, [{ strategy: usdc, past: undefined }], block)
  expect(rates).toMatchObject({ price: await priceAt(number) })
  expect(rates!.apy).toBeCloseTo(Math.exp(0.05) - 1, 9)
  expect(rates!.tvl).toBeGreaterThan(1_000_000n * UNIT)
  expect(rates!.liquidity).toBe(rates!.tvl)
  await solana.devnet.increaseTime(30 * DAY)
  expect(await priceAt(number)).toBe(rates!.price)
  expect(await priceAt()).toBeGreaterThan(rates!.price)
})

test('a program error is described in words', async () => {
  const key = await solana.wallet(usdc.tokenAddress, UNIT)
  const plan = { strategy: usdc, owner: key.address, amount: UNIT / 2n, needsZeroAllowance: false }
  const [step] = await shareVault.planSupply(solana.chain, plan)
  expect(await solana.chain.simulate(key.address, [step!.call])).toMatchObject({
    ok: false,
    code: 'REVERTED',
    reason: 'the deposit is too small',
  })
})

test('what a vault accepts and pays follows its cap, its pause and what it lent', async () => {
  const { devnet, chain } = solana
  const key = await solana.wallet(usdc.tokenAddress, 1_000n * UNIT)
  await supply(key, 1_000n * UNIT)
  const set = (change: Parameters<typeof devnet.setStrategyState>[1]) => devnet.setStrategyState(usdc.key, change)
  const read = async () => (await shareVault.rates(chain, [{ strategy: usdc, past: undefined }]))[0]!
  const withdrawable = async () =>
    (await shareVault.positions(chain, [{ strategy: usdc, owner: key.address }]))[0]!.withdrawable

  const refused = (tokens = 1n) =>
    shareVault.planSupply(chain, {
      strategy: usdc,
      owner: key.address,
      amount: tokens * UNIT,
      needsZeroAllowance: false,
    })
  expect(await read()).toMatchObject({ deposits: { state: 'open', room: null }, withdrawals: 'open' })
  await set({ liquidity: 'leave' })
  await set({ liquidity: 'return', amount: 300n * UNIT })
  expect((await read()).liquidity).toBe(300n * UNIT)
  expect(await withdrawable()).toBeLessThan(300n * UNIT)
  expect(await withdrawable()).toBeGreaterThan(299n * UNIT)
  await set({ liquidity: 'return' })
  expect(await withdrawable()).toBeGreaterThan(999n * UNIT)

  await set({ depositCap: 0n })
  expect(await read()).toMatchObject({ deposits: { state: 'full', room: 0n } })
  await expect(refused()).rejects.toMatchObject({ code: 'STRATEGY_NOT_ACTIVE', details: { reason: 'full' } })
  const { tvl } = await read()
  await set({ depositCap: tvl + 50n * UNIT })
  const { deposits } = await read()
  expect(deposits.state).toBe('open')
  expect(deposits.room).toBeLessThanOrEqual(50n * UNIT)
  await expect(refused(100n)).rejects.toMatchObject({ code: 'AMOUNT_OUT_OF_BOUNDS' })
  await set({ depositCap: null })

  await set({ paused: true })
  expect(await read()).toMatchObject({ deposits: { state: 'paused' }, withdrawals: 'paused' })
  await expect(refused()).rejects.toMatchObject({ code: 'STRATEGY_NOT_ACTIVE', details: { reason: 'paused' } })
  expect(await withdrawable()).toBe(0n)
  await set({ paused: false })
})

test('all that a vault can still pay when a plan lands leaves room for the interest of the time between', async () => {
  const { devnet, chain } = solana
  const key = await solana.wallet(usdc.tokenAddress, 1_000n * UNIT)
  await supply(key, 1_000n * UNIT)
  await devnet.setStrategyState(usdc.key, { liquidity: 'leave' })
  await devnet.setStrategyState(usdc.key, { liquidity: 'return', amount: 300n * UNIT })
  const position = async () => (await shareVault.positions(chain, [{ strategy: usdc, owner: key.address }]))[0]!
  const landLater = async (amount: bigint) => {
    const plan = { strategy: usdc, owner: key.address, amount, shares: await sharesOf(key) }
    const [step] = await shareVault.planUnwind(chain, plan)
    await devnet.increaseTime(3_600)
    return solana.send(key, svmCall(step!.call).instructions)
  }
  const { withdrawable } = await position()
  expect(withdrawable).toBeLessThan(300n * UNIT)
  await expect(landLater(300n * UNIT)).rejects.toThrow('insufficient funds')
  expect((await landLater(withdrawable)).succeeded).toBe(true)
  expect(await tokenBalance(key)).toBeGreaterThan(299n * UNIT)
  await devnet.setStrategyState(usdc.key, { liquidity: 'return' })
  const open = await position()
  expect(open.withdrawable).toBe(shareVault.valueOf(open.shares, open.price))
})
