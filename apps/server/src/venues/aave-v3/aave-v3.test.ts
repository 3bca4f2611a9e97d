import type { Address, Hex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addressOf, callsOf, kindsOf, type Market, startMarket } from '../../../testing/venues/market.ts'
import type { EvmIncludedTransaction } from '../../chains/index.ts'
import { contractCall } from '../evm/contract-call.ts'
import { decodeEvents } from '../evm/decode-events.ts'
import { erc20Abi } from '../evm/erc20.ts'
import { readIntegers } from '../evm/reader.ts'
import type { Strategy } from '../port.ts'
import { aTokenAbi, poolAbi } from './abi.ts'
import { aaveV3 } from './index.ts'

const UNIT = 1_000_000n
const MONTH = 30 * 86_400

let market: Market
let usdc: Strategy
let usdt: Strategy

beforeAll(async () => {
  market = await startMarket('polygon')
  usdc = market.strategy('aave-v3:polygon:USDC')
  usdt = market.strategy('aave-v3:polygon:USDT')
})
afterAll(() => market.stop())

async function supply(key: Hex, strategy: Strategy, amount: bigint): Promise<EvmIncludedTransaction> {
  const needsZeroAllowance = strategy.token === 'USDT'
  const steps = await aaveV3.planSupply(market.chain, { strategy, owner: addressOf(key), amount, needsZeroAllowance })
  return (await market.send(key, callsOf(steps))).at(-1)!
}

async function unwind(key: Hex, strategy: Strategy, amount: bigint | 'full'): Promise<EvmIncludedTransaction> {
  const owner = addressOf(key)
  const [shares] = await aaveV3.shares(market.chain, [{ strategy, owner }])
  const steps = await aaveV3.planUnwind(market.chain, { strategy, owner, amount, shares: shares! })
  return (await market.send(key, callsOf(steps))).at(-1)!
}

async function sharesOf(key: Hex, strategy: Strategy, at?: number): Promise<bigint> {
  const [shares] = await aaveV3.shares(market.chain, [{ strategy, owner: addressOf(key) }], at)
  return shares!
}

async function balanceOf(token: string, owner: string, at?: number): Promise<bigint> {
  const [balance] = await market.chain.balances([{ owner, token }], at)
  return balance!
}

/** The movement matches the change of the on-chain balances in that block. */
async function expectTrue(key: Hex, strategy: Strategy, transaction: EvmIncludedTransaction) {
  const { blockNumber: at } = transaction
  const shares = (await sharesOf(key, strategy, at)) - (await sharesOf(key, strategy, at - 1))
  const owner = addressOf(key)
  const tokens =
    (await balanceOf(strategy.tokenAddress, owner, at - 1)) - (await balanceOf(strategy.tokenAddress, owner, at))
  const movement = aaveV3.netMovement(strategy, owner, transaction)
  expect(movement).toEqual(
    shares > 0n ? { direction: 'in', assets: tokens, shares } : { direction: 'out', assets: -tokens, shares: -shares },
  )
  return movement!
}

test('valueOf matches the aToken balance to the last unit at every moment', async () => {
  const key = await market.wallet(usdc, 12_345n * UNIT + 678_901n)
  await supply(key, usdc, 12_345n * UNIT + 678_901n)
  for (const seconds of [1, 3_601, MONTH]) {
    await market.devnet.increaseTime(seconds)
    const at = (await market.chain.heads()).latest.number
    const [[price], shares, shown] = await Promise.all([
      aaveV3.prices(market.chain, [usdc], at),
      sharesOf(key, usdc, at),
      balanceOf(usdc.params.aToken!, addressOf(key), at),
    ])
    expect(aaveV3.valueOf(shares, price!)).toBe(shown)
  }
})

test('a full withdrawal after a month pays principal and yield and leaves no share', async () => {
  const key = await market.wallet(usdc, 1_000n * UNIT)
  const into = await expectTrue(key, usdc, await supply(key, usdc, 1_000n * UNIT))
  expect(into).toMatchObject({ direction: 'in', assets: 1_000n * UNIT })
  await market.devnet.increaseTime(MONTH)
  const out = await expectTrue(key, usdc, await unwind(key, usdc, 'full'))
  expect(out.shares).toBe(into.shares)
  expect(out.assets).toBeGreaterThan(1_000n * UNIT)
  expect(await sharesOf(key, usdc)).toBe(0n)
  expect(await balanceOf(usdc.tokenAddress, addressOf(key))).toBe(out.assets)
})

test('a withdrawal smaller than the interest, which the contract reports as a Mint, is a movement out', async () => {
  const key = await market.wallet(usdc, 1_000_000n * UNIT)
  await supply(key, usdc, 1_000_000n * UNIT)
  await market.devnet.increaseTime(MONTH)
  const transaction = await unwind(key, usdc, 5n * UNIT)
  const events = decodeEvents(aTokenAbi, usdc.params.aToken!, transaction)
  expect(events.map(({ eventName }) => eventName)).toEqual(['Mint'])
  expect(await expectTrue(key, usdc, transaction)).toMatchObject({ direction: 'out', assets: 5n * UNIT })
})

test('a second deposit and a partial withdrawal with interest between them are exact', async () => {
  const key = await market.wallet(usdt, 700n * UNIT)
  await supply(key, usdt, 500n * UNIT)
  await market.devnet.increaseTime(MONTH)
  expect(await expectTrue(key, usdt, await supply(key, usdt, 200n * UNIT))).toMatchObject({ assets: 200n * UNIT })
  await market.devnet.increaseTime(MONTH)
  expect(await expectTrue(key, usdt, await unwind(key, usdt, 333n * UNIT))).toMatchObject({ assets: 333n * UNIT })
})

test('several events of one transaction add up, and those of other wallets are ignored', async () => {
  const [key, stranger] = [await market.wallet(usdc, 900n * UNIT), await market.wallet(usdc, 900n * UNIT)]
  const owner = addressOf(key)
  const parts = [
    await supply(key, usdc, 300n * UNIT),
    await supply(key, usdc, 600n * UNIT),
    await unwind(key, usdc, 100n * UNIT),
  ]
  const others = [await supply(stranger, usdc, 900n * UNIT)]
  const together = { ...parts[0]!, logs: [...parts, ...others].flatMap(({ logs }) => logs) }
  expect(aaveV3.netMovement(usdc, owner, together)).toEqual({
    direction: 'in',
    assets: 800n * UNIT,
    shares: await sharesOf(key, usdc),
  })
  expect(aaveV3.netMovement(usdc, owner, others[0]!)).toBeUndefined()
  expect(aaveV3.netMovement(usdt, owner, together)).toBeUndefined()
})

test('events about a wallet that another contract emits are ignored', async () => {
  const key = await market.wallet(usdc, 10n * UNIT)
  const transaction = await supply(key, usdc, 10n * UNIT)
  const forged = { ...transaction, logs: transaction.logs.map((log) => ({ ...log, address: usdt.params.pool! })) }
  expect(aaveV3.netMovement(usdc, addressOf(key), forged)).toBeUndefined()
})

test("a third party's deposit for a wallet moves shares and none of the wallet's tokens", async () => {
  const [key, stranger] = [await market.wallet(usdc, 0n), await market.wallet(usdc, 50n * UNIT)]
  const approve = contractCall(usdc.tokenAddress, {
    abi: erc20Abi,
    functionName: 'approve',
    args: [usdc.params.pool as Address, 50n * UNIT],
  })
  const deposit = contractCall(usdc.params.pool!, {
    abi: poolAbi,
    functionName: 'supply',
    args: [usdc.tokenAddress as Address, 50n * UNIT, addressOf(key) as Address, 0],
  })
  const [, transaction] = await market.send(stranger, [approve, deposit])
  expect(aaveV3.netMovement(usdc, addressOf(key), transaction!)).toEqual({
    direction: 'in',
    assets: 0n,
    shares: await sharesOf(key, usdc),
  })
  expect(aaveV3.netMovement(usdc, addressOf(stranger), transaction!)).toMatchObject({ assets: 50n * UNIT, shares: 0n })
})

test('a plan approves exactly the required allowance, and resets a nonzero one if the token demands it', async () => {
  const key = await market.wallet(usdt, 100n * UNIT)
  const owner = addressOf(key)
  const plan = (amount: bigint) =>
    aaveV3.planSupply(market.chain, { strategy: usdt, owner, amount, needsZeroAllowance: true })
  const first = await plan(40n * UNIT)
  expect(kindsOf(first)).toEqual(['approve', 'supply'])
  expect(first.map(({ description }) => description)).toEqual([
    'Approve 40.00 USDT for Aave V3',
    'Supply 40.00 USDT to Aave V3',
  ])
  await market.send(key, callsOf(first.slice(0, 1)))
  expect(kindsOf(await plan(40n * UNIT))).toEqual(['supply'])
  const other = await plan(60n * UNIT)
  expect(kindsOf(other)).toEqual(['approve_reset', 'approve', 'supply'])
  await market.send(key, callsOf(other))
  const [left] = await readIntegers(market.chain, [
    { address: usdt.tokenAddress, abi: erc20Abi, functionName: 'allowance', args: [owner, usdt.params.pool!] },
  ])
  expect(left).toBe(0n)
})

test("rates are the reserve's, read in one request", async () => {
  const block = (await market.chain.heads()).latest
  const before = market.requests()
  const [rates] = await aaveV3.rates(market.chain, [{ strategy: usdc, past: undefined }], block)
  expect(market.requests() - before).toBe(1)
  const [supplied, idle] = await readIntegers(
    market.chain,
    [
      { address: usdc.params.aToken!, abi: aTokenAbi, functionName: 'totalSupply' },
      { address: usdc.tokenAddress, abi: erc20Abi, functionName: 'balanceOf', args: [usdc.params.aToken!] },
    ],
    block.number,
  )
  expect(rates).toMatchObject({ tvl: supplied, liquidity: idle })
  expect(rates!.apy).toBeGreaterThan(0.005)
  expect(rates!.apy).toBeLessThan(0.5)

  // The reported rate matches what a month really earns: its share of a year.
  const [price] = await aaveV3.prices(market.chain, [usdc])
  await market.devnet.increaseTime(MONTH)
  const [later] = await aaveV3.prices(market.chain, [usdc])
  const yearly = (Number(later! - price!) / Number(price!)) * (365 / 30)
  expect(Math.expm1(yearly)).toBeCloseTo(rates!.apy, 3)
})

test('an unresponsive contract is CHAIN_UNAVAILABLE, never a guess', async () => {
  const broken: Strategy = { ...usdc, params: { ...usdc.params, pool: usdc.tokenAddress, aToken: usdc.params.pool! } }
  const refused = { code: 'CHAIN_UNAVAILABLE' }
  await expect(aaveV3.prices(market.chain, [broken])).rejects.toMatchObject(refused)
  await expect(aaveV3.shares(market.chain, [{ strategy: broken, owner: usdc.tokenAddress }])).rejects.toMatchObject(
    refused,
  )
  await expect(aaveV3.rates(market.chain, [{ strategy: broken, past: undefined }])).rejects.toMatchObject(refused)
})
