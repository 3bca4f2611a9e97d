import { type Address, type Hex, parseAbi } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addressOf, callsOf, kindsOf, type Market, startMarket } from '../../../testing/venues/market.ts'
import type { EvmIncludedTransaction } from '../../chains/index.ts'
import { contractCall } from '../evm/contract-call.ts'
import { erc20Abi } from '../evm/erc20.ts'
import { readIntegers } from '../evm/reader.ts'
import type { Strategy } from '../port.ts'
import { compoundV3 } from './index.ts'

const UNIT = 1_000_000n
const MONTH = 30 * 86_400

let market: Market
let usdc: Strategy
beforeAll(async () => {
  market = await startMarket('polygon')
  usdc = market.strategy('compound-v3:polygon:USDC')
})
afterAll(() => market.stop())

const plan = (key: Hex, amount: bigint) =>
  compoundV3.planSupply(market.chain, { strategy: usdc, owner: addressOf(key), amount, needsZeroAllowance: false })
const supply = async (key: Hex, amount: bigint) => (await market.send(key, callsOf(await plan(key, amount)))).at(-1)!
const sharesOf = async (key: Hex, at?: number) =>
  (await compoundV3.shares(market.chain, [{ strategy: usdc, owner: addressOf(key) }], at))[0]!
const priceAt = async (at?: number) => (await compoundV3.prices(market.chain, [usdc], at))[0]!
const positionOf = async (key: Hex) =>
  (await compoundV3.positions(market.chain, [{ strategy: usdc, owner: addressOf(key) }]))[0]!
const termsOf = async () => (await compoundV3.rates(market.chain, [{ strategy: usdc, past: undefined }]))[0]!
const set = (change: Parameters<typeof market.devnet.setStrategyState>[1]) =>
  market.devnet.setStrategyState(usdc.key, change)

async function unwind(key: Hex, amount: bigint | 'full'): Promise<EvmIncludedTransaction> {
  const shares = await sharesOf(key)
  const steps = await compoundV3.planUnwind(market.chain, { strategy: usdc, owner: addressOf(key), amount, shares })
  return (await market.send(key, callsOf(steps))).at(-1)!
}

async function tokensOf(key: Hex, at?: number): Promise<bigint> {
  const [tokens] = await market.chain.balances([{ owner: addressOf(key), token: usdc.tokenAddress }], at)
  return tokens!
}

/** What Comet itself says about the balance. */
async function balanceOf(key: Hex, at?: number): Promise<bigint> {
  const call = { address: usdc.params.comet!, abi: erc20Abi, functionName: 'balanceOf', args: [addressOf(key)] }
  return (await readIntegers(market.chain, [call], at))[0]!
}

/** The movement matches the change of principal and tokens on the chain in that block. */
async function expectTrue(key: Hex, transaction: EvmIncludedTransaction) {
  const { blockNumber: at } = transaction
  const shares = (await sharesOf(key, at)) - (await sharesOf(key, at - 1))
  const tokens = (await tokensOf(key, at - 1)) - (await tokensOf(key, at))
  const movement = compoundV3.netMovement(usdc, addressOf(key), transaction, await priceAt(at))
  expect(movement).toEqual(
    shares > 0n ? { direction: 'in', assets: tokens, shares } : { direction: 'out', assets: -tokens, shares: -shares },
  )
  return movement!
}

test('the value of a position is the balance that Comet reports, to the last unit at every moment', async () => {
  const key = await market.wallet(usdc, 12_345n * UNIT + 678_901n)
  await supply(key, 12_345n * UNIT + 678_901n)
  for (const seconds of [1, 3_601, MONTH]) {
    await market.devnet.increaseTime(seconds)
    const at = (await market.chain.heads()).latest.number
    const [price, shares, shown] = await Promise.all([priceAt(at), sharesOf(key, at), balanceOf(key, at)])
    expect(compoundV3.valueOf(shares, price)).toBe(shown)
  }
})

test('deposits, a part and the rest with interest between them are read exactly from their events', async () => {
  const key = await market.wallet(usdc, 900n * UNIT)
  await expectTrue(key, await supply(key, 500n * UNIT))
  await market.devnet.increaseTime(MONTH)
  await expectTrue(key, await supply(key, 400n * UNIT))
  await market.devnet.increaseTime(MONTH)
  expect(await expectTrue(key, await unwind(key, 333_333_333n))).toMatchObject({
    direction: 'out',
    assets: 333_333_333n,
  })
  await market.devnet.increaseTime(MONTH)
  await expectTrue(key, await unwind(key, 'full'))
  expect(await sharesOf(key)).toBe(0n)
  expect(await tokensOf(key)).toBeGreaterThan(900n * UNIT)
})

test("a third party's deposit for a wallet moves shares and none of the wallet's tokens", async () => {
  const [key, stranger] = [await market.wallet(usdc, 0n), await market.wallet(usdc, 50n * UNIT)]
  const abi = parseAbi(['function supplyTo(address dst, address asset, uint256 amount)'])
  const args = [addressOf(key) as Address, usdc.tokenAddress as Address, 50n * UNIT] as const
  const [, transaction] = await market.send(stranger, [
    contractCall(usdc.tokenAddress, {
      abi: erc20Abi,
      functionName: 'approve',
      args: [usdc.params.comet as Address, 50n * UNIT],
    }),
    contractCall(usdc.params.comet!, { abi, functionName: 'supplyTo', args }),
  ])
  const price = await priceAt(transaction!.blockNumber)
  expect(compoundV3.netMovement(usdc, addressOf(key), transaction!, price)).toEqual({
    direction: 'in',
    assets: 0n,
    shares: await sharesOf(key),
  })
  expect(compoundV3.netMovement(usdc, addressOf(stranger), transaction!, price)).toBeUndefined()
  const forged = { ...transaction!, logs: transaction!.logs.map((log) => ({ ...log, address: usdc.tokenAddress })) }
  expect(compoundV3.netMovement(usdc, addressOf(key), forged, price)).toBeUndefined()
  expect(() => compoundV3.netMovement(usdc, addressOf(key), transaction!)).toThrow(
    expect.objectContaining({ code: 'CHAIN_UNAVAILABLE' }),
  )
})

test('a plan approves exactly the required allowance', async () => {
  const key = await market.wallet(usdc, 100n * UNIT)
  const first = await plan(key, 40n * UNIT)
  expect(first.map(({ description }) => description)).toEqual([
    'Approve 40.00 USDC for Comet USDC',
    'Supply 40.00 USDC to Comet USDC',
  ])
  await market.send(key, callsOf(first.slice(0, 1)))
  expect(kindsOf(await plan(key, 40n * UNIT))).toEqual(['supply'])
})

test('its rate is what a month earns; TVL and liquidity are what it owes and holds', async () => {
  const { apy, tvl, liquidity, deposits, withdrawals } = await termsOf()
  expect(apy).toBeGreaterThan(0.02)
  expect(apy).toBeLessThan(0.023)
  expect(liquidity).toBeLessThan(tvl)
  expect({ deposits, withdrawals }).toEqual({ deposits: { state: 'open', room: null }, withdrawals: 'open' })
  const before = await priceAt()
  await market.devnet.increaseTime(MONTH)
  const yearly = (Number((await priceAt()) - before) / Number(before)) * (365 / 30)
  expect(Math.expm1(yearly)).toBeCloseTo(apy, 3)
})

test('fully borrowed, it pays what it holds, and the rest when that returns', async () => {
  const key = await market.wallet(usdc, 100n * UNIT)
  await supply(key, 100n * UNIT)
  await set({ liquidity: 'leave' })
  expect(await positionOf(key)).toMatchObject({ withdrawable: 0n })
  await expect(unwind(key, UNIT)).rejects.toThrow()
  await set({ liquidity: 'return', amount: 30n * UNIT })
  expect(await positionOf(key)).toMatchObject({ withdrawable: 30n * UNIT })
  await expectTrue(key, await unwind(key, 30n * UNIT))
  await set({ liquidity: 'return' })
  expect((await positionOf(key)).withdrawable).toBeGreaterThanOrEqual(69_999_990n)
})

test('while deposits are paused it pays; while all is paused it does nothing', async () => {
  const key = await market.wallet(usdc, 200n * UNIT)
  await supply(key, 100n * UNIT)
  const refused = { code: 'STRATEGY_NOT_ACTIVE', details: { reason: 'paused' } }
  await set({ frozen: true })
  expect(await termsOf()).toMatchObject({ deposits: { state: 'paused', room: 0n }, withdrawals: 'open' })
  await expect(plan(key, UNIT)).rejects.toMatchObject(refused)
  await expectTrue(key, await unwind(key, 10n * UNIT))
  await set({ paused: true })
  expect(await termsOf()).toMatchObject({ deposits: { state: 'paused' }, withdrawals: 'paused' })
  expect((await positionOf(key)).withdrawable).toBe(0n)
  await expect(unwind(key, UNIT)).rejects.toThrow()
  await set({ paused: false })
  expect((await positionOf(key)).withdrawable).toBeGreaterThan(89n * UNIT)
})

test('an unresponsive contract is CHAIN_UNAVAILABLE, never a guess', async () => {
  const broken: Strategy = { ...usdc, params: { comet: usdc.tokenAddress } }
  const refused = { code: 'CHAIN_UNAVAILABLE' }
  await expect(compoundV3.prices(market.chain, [broken])).rejects.toMatchObject(refused)
  const query = { strategy: broken, owner: usdc.tokenAddress }
  await expect(compoundV3.shares(market.chain, [query])).rejects.toMatchObject(refused)
  await expect(compoundV3.positions(market.chain, [query])).rejects.toMatchObject(refused)
  await expect(compoundV3.rates(market.chain, [{ strategy: broken, past: undefined }])).rejects.toMatchObject(refused)
})
