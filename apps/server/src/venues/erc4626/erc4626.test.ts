import type { Address, Hex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addressOf, callsOf, kindsOf, type Market, startMarket } from '../../../testing/venues/market.ts'
import type { EvmIncludedTransaction } from '../../chains/index.ts'
import { contractCall } from '../evm/contract-call.ts'
import { erc20Abi } from '../evm/erc20.ts'
import type { Strategy } from '../port.ts'
import { vaultAbi } from './abi.ts'
import { erc4626 } from './index.ts'

const UNIT = 1_000_000n
const DAY = 86_400

let market: Market
let usdc: Strategy
let usdt: Strategy

beforeAll(async () => {
  market = await startMarket('polygon')
  usdc = market.strategy('erc4626:polygon:USDC')
  usdt = market.strategy('erc4626:polygon:USDT')
})
afterAll(() => market.stop())

async function supply(key: Hex, strategy: Strategy, amount: bigint): Promise<EvmIncludedTransaction> {
  const needsZeroAllowance = strategy.token === 'USDT'
  const steps = await erc4626.planSupply(market.chain, { strategy, owner: addressOf(key), amount, needsZeroAllowance })
  return (await market.send(key, callsOf(steps))).at(-1)!
}

async function unwind(key: Hex, strategy: Strategy, amount: bigint | 'full'): Promise<EvmIncludedTransaction> {
  const shares = await sharesOf(key, strategy)
  const steps = await erc4626.planUnwind(market.chain, { strategy, owner: addressOf(key), amount, shares })
  return (await market.send(key, callsOf(steps))).at(-1)!
}

async function sharesOf(key: Hex, strategy: Strategy, at?: number): Promise<bigint> {
  const [shares] = await erc4626.shares(market.chain, [{ strategy, owner: addressOf(key) }], at)
  return shares!
}

async function tokensOf(key: Hex, strategy: Strategy, at?: number): Promise<bigint> {
  const [balance] = await market.chain.balances([{ owner: addressOf(key), token: strategy.tokenAddress }], at)
  return balance!
}

test('a full withdrawal after months pays principal and yield as valueOf computed, and leaves no share', async () => {
  const key = await market.wallet(usdt, 1_000n * UNIT)
  const into = erc4626.netMovement(usdt, addressOf(key), await supply(key, usdt, 1_000n * UNIT))
  expect(into).toEqual({ direction: 'in', assets: 1_000n * UNIT, shares: await sharesOf(key, usdt) })
  await market.devnet.increaseTime(90 * DAY)

  const transaction = await unwind(key, usdt, 'full')
  const [price] = await erc4626.prices(market.chain, [usdt], transaction.blockNumber)
  const out = erc4626.netMovement(usdt, addressOf(key), transaction)
  expect(out).toEqual({ direction: 'out', assets: await tokensOf(key, usdt), shares: into!.shares })
  expect(out!.assets).toBeGreaterThan(1_000n * UNIT)
  const shown = erc4626.valueOf(out!.shares, price!)
  expect([0n, 1n]).toContain(out!.assets - shown)
  expect(await sharesOf(key, usdt)).toBe(0n)
})

test('a partial withdrawal pays exactly the requested amount and burns the shares in the event', async () => {
  const key = await market.wallet(usdc, 500n * UNIT)
  await supply(key, usdc, 500n * UNIT)
  await market.devnet.increaseTime(10 * DAY)
  const before = await sharesOf(key, usdc)
  const out = erc4626.netMovement(usdc, addressOf(key), await unwind(key, usdc, 123_456_789n))
  expect(out).toEqual({ direction: 'out', assets: 123_456_789n, shares: before - (await sharesOf(key, usdc)) })
  expect(await tokensOf(key, usdc)).toBe(123_456_789n)
})

test('several events of one transaction add up, and those of other wallets are ignored', async () => {
  const [key, stranger] = [await market.wallet(usdc, 90n * UNIT), await market.wallet(usdc, 90n * UNIT)]
  const parts = [
    await supply(key, usdc, 30n * UNIT),
    await supply(key, usdc, 60n * UNIT),
    await unwind(key, usdc, 10n * UNIT),
  ]
  const other = await supply(stranger, usdc, 90n * UNIT)
  const together = { ...other, logs: [...parts, other].flatMap(({ logs }) => logs) }
  const shares = await sharesOf(key, usdc)
  expect(erc4626.netMovement(usdc, addressOf(key), together)).toEqual({ direction: 'in', assets: 80n * UNIT, shares })
  expect(erc4626.netMovement(usdc, addressOf(key), other)).toBeUndefined()
  expect(erc4626.netMovement(usdt, addressOf(key), together)).toBeUndefined()
})

test("a third party's deposit for a wallet moves shares and none of the wallet's tokens", async () => {
  const [key, stranger] = [await market.wallet(usdc, 0n), await market.wallet(usdc, 50n * UNIT)]
  const vault = usdc.params.vault!
  const [, transaction] = await market.send(stranger, [
    contractCall(usdc.tokenAddress, { abi: erc20Abi, functionName: 'approve', args: [vault as Address, 50n * UNIT] }),
    contractCall(vault, { abi: vaultAbi, functionName: 'deposit', args: [50n * UNIT, addressOf(key) as Address] }),
  ])
  expect(erc4626.netMovement(usdc, addressOf(key), transaction!)).toEqual({
    direction: 'in',
    assets: 0n,
    shares: await sharesOf(key, usdc),
  })
})

test('a plan approves exactly the required allowance, and resets a nonzero one if the token demands it', async () => {
  const key = await market.wallet(usdt, 100n * UNIT)
  const plan = (amount: bigint) =>
    erc4626.planSupply(market.chain, { strategy: usdt, owner: addressOf(key), amount, needsZeroAllowance: true })
  const first = await plan(40n * UNIT)
  expect(kindsOf(first)).toEqual(['approve', 'supply'])
  expect(first[0]!.description).toBe('Approve 40.00 USDT for Yield Vault USDT')
  await market.send(key, callsOf(first.slice(0, 1)))
  expect(kindsOf(await plan(40n * UNIT))).toEqual(['supply'])
  const other = await plan(60n * UNIT)
  expect(kindsOf(other)).toEqual(['approve_reset', 'approve', 'supply'])
  await market.send(key, callsOf(other))
  expect(await tokensOf(key, usdt)).toBe(40n * UNIT)
})

test('a full withdrawal without shares is a defect of the caller', async () => {
  const plan = { strategy: usdc, owner: usdc.tokenAddress, amount: 'full' as const, shares: 0n }
  await expect(erc4626.planUnwind(market.chain, plan)).rejects.toThrow('assertion failed')
})

test('the yield is the price growth since the past reading, or over the next day when there is none', async () => {
  const past = { price: (await erc4626.prices(market.chain, [usdc]))[0]!, at: (await market.chain.heads()).latest.time }
  await market.devnet.increaseTime(7 * DAY)
  const block = (await market.chain.heads()).latest
  const before = market.requests()
  const [measured, projected] = await erc4626.rates(
    market.chain,
    [
      { strategy: usdc, past },
      { strategy: usdc, past: undefined },
    ],
    block,
  )
  expect(market.requests() - before).toBe(1)
  // The vault pays 5% a year, simple interest between two interactions.
  expect(measured!.apy).toBeCloseTo(Math.exp(0.05) - 1, 3)
  expect(projected!.apy).toBeCloseTo(Math.exp(0.05) - 1, 3)
  expect(measured!.tvl).toBeGreaterThanOrEqual(100_000n * UNIT)
  expect(measured!.liquidity).toBeGreaterThan(0n)
  expect(measured!.liquidity).toBeLessThanOrEqual(measured!.tvl)
})

test('on a node that cannot simulate another time, the yield of a new vault is zero', async () => {
  const chain = { ...market.chain, multicallAtTime: async () => undefined }
  const [rates] = await erc4626.rates(chain, [{ strategy: usdc, past: undefined }])
  expect(rates).toMatchObject({ apy: 0 })
})

test('an unresponsive contract is CHAIN_UNAVAILABLE, never a guess', async () => {
  const broken: Strategy = { ...usdc, params: { vault: usdc.tokenAddress } }
  await expect(erc4626.prices(market.chain, [broken])).rejects.toMatchObject({ code: 'CHAIN_UNAVAILABLE' })
})
