import { afterAll, beforeAll, expect, test } from 'vitest'
import { answering } from '../../../testing/venues/answering.ts'
import { addressOf, callsOf, type Market, startMarket } from '../../../testing/venues/market.ts'
import { addMilliseconds, DAY_MS } from '../../kernel/index.ts'
import type { PastPrice, Strategy } from '../port.ts'
import { erc4626 } from './index.ts'

const UNIT = 1_000_000n
const MONTH = 30 * 86_400

let market: Market
let savings: Strategy
beforeAll(async () => {
  market = await startMarket('polygon')
  savings = market.strategy('erc4626:polygon:USDC:savings')
})
afterAll(() => market.stop())

const ratesOf = async (past?: PastPrice) => (await erc4626.rates(market.chain, [{ strategy: savings, past }]))[0]!
const priceNow = async () => (await erc4626.prices(market.chain, [savings]))[0]!
const setRate = (rateBasisPoints: number) => market.devnet.setStrategyState(savings.key, { rateBasisPoints })

test('the APY is the rate that the vault reports, and what a month earns', async () => {
  const { apy } = await ratesOf()
  expect(apy).toBeCloseTo(Math.expm1(0.021), 6)
  const before = await priceNow()
  await market.devnet.increaseTime(MONTH)
  const growth = Number((await priceNow()) - before) / Number(before)
  expect((1 + growth) ** (365 / 30) - 1).toBeCloseTo(apy, 6)
})

test('another rate counts at once, whatever the price did before', async () => {
  const { time } = (await market.chain.heads()).latest
  const past = { price: await priceNow(), at: addMilliseconds(time, -7 * DAY_MS) }
  const state = await setRate(0)
  expect(state).toMatchObject({ rateBasisPoints: 0 })
  expect((await ratesOf(past)).apy).toBe(0)
  expect(await setRate(350)).toMatchObject({ rateBasisPoints: 350 })
  expect((await ratesOf(past)).apy).toBeCloseTo(Math.expm1(0.035), 6)
  await expect(setRate(10_001)).rejects.toThrow('setRate is refused')
  await setRate(210)
})

test('its liquidity is complete: every owner can withdraw everything, with the interest of the last second', async () => {
  const key = await market.wallet(savings, 1_000n * UNIT)
  const owner = addressOf(key)
  const plan = { strategy: savings, owner, amount: 1_000n * UNIT, needsZeroAllowance: false }
  await market.send(key, callsOf(await erc4626.planSupply(market.chain, plan)))
  await market.devnet.increaseTime(MONTH)
  const { tvl, liquidity } = await ratesOf()
  expect(liquidity).toBe(tvl)
  const [position] = await erc4626.positions(market.chain, [{ strategy: savings, owner }])
  const { shares, price, withdrawable } = position!
  expect(withdrawable).toBe(erc4626.valueOf(shares, price))
  expect(withdrawable).toBeGreaterThan(1_001n * UNIT)
  const unwind = { strategy: savings, owner, amount: 'full' as const, shares }
  await market.send(key, callsOf(await erc4626.planUnwind(market.chain, unwind)))
  const [tokens] = await market.chain.balances([{ owner, token: savings.tokenAddress }])
  expect(tokens).toBeGreaterThanOrEqual(withdrawable)
  expect(await erc4626.shares(market.chain, [{ strategy: savings, owner }])).toEqual([0n])
})

test('a vault that does not report the named rate is unavailable, never guessed', async () => {
  const broken = { ...savings, params: { ...savings.params, rate: 'vsr' } }
  await expect(erc4626.rates(market.chain, [{ strategy: broken, past: undefined }])).rejects.toMatchObject({
    code: 'CHAIN_UNAVAILABLE',
  })
})

test('a rate of a past block is that of that block', async () => {
  const block = (await market.chain.heads()).latest
  await setRate(350)
  const [then] = await erc4626.rates(market.chain, [{ strategy: savings, past: undefined }], block)
  expect(then!.apy).toBeCloseTo(Math.expm1(0.021), 6)
  await setRate(210)
})

test('a rate alone proves no liquidity: a vault of another token may pay from a pocket, only USDS is minted', async () => {
  const params = { vault: savings.params.vault!, rate: 'ssr' }
  const chain = answering(market.chain, { balanceOf: () => 7n })
  const read = async (change: Partial<Strategy>) =>
    (await erc4626.rates(chain, [{ strategy: { ...savings, params, ...change }, past: undefined }]))[0]!
  expect((await read({})).liquidity).toBeNull()
  const usds = await read({ tokenDecimals: 18 })
  expect(usds.liquidity).toBe(usds.tvl)
  const stated = await read({ tokenDecimals: 18, params: { ...params, cash: 'held' } })
  expect(stated.liquidity, 'what the entry says counts').toBe(7n)
})

test('a vault that reports its rate by vsr holds a part of its money only: its liquidity is what it holds', async () => {
  const spark = { ...savings, params: { vault: savings.params.vault!, rate: 'vsr' } }
  const chain = answering(market.chain, { vsr: () => 10n ** 27n, balanceOf: () => 7n * UNIT })
  const [rates] = await erc4626.rates(chain, [{ strategy: spark, past: undefined }])
  expect(rates).toMatchObject({ apy: 0, liquidity: 7n * UNIT })
})
