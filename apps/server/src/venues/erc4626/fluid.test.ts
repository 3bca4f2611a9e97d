import type { Hex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { answering } from '../../../testing/venues/answering.ts'
import { addressOf, callsOf, type Market, startMarket } from '../../../testing/venues/market.ts'
import { readIntegers } from '../evm/reader.ts'
import type { Strategy } from '../port.ts'
import { vaultAbi } from './abi.ts'
import { erc4626 } from './index.ts'

/** fluid-limit.test.ts tests how the stored words are read. */

const UNIT = 1_000_000n
const HOUR = 3_600

let market: Market
let fluid: Strategy
/** Holds more than the withdrawal limit ever leaves. */
let whale: Hex
beforeAll(async () => {
  market = await startMarket('polygon')
  fluid = market.strategy('erc4626:polygon:USDC:fluid')
  whale = await supply(100_000n * UNIT)
})
afterAll(() => market.stop())

const set = (change: Parameters<typeof market.devnet.setStrategyState>[1]) =>
  market.devnet.setStrategyState(fluid.key, change)
const ratesOf = async (chain = market.chain) => (await erc4626.rates(chain, [{ strategy: fluid, past: undefined }]))[0]!
const positionOf = async (key: Hex, chain = market.chain) =>
  (await erc4626.positions(chain, [{ strategy: fluid, owner: addressOf(key) }]))[0]!
const planOf = (key: Hex, amount: bigint) =>
  erc4626.planSupply(market.chain, { strategy: fluid, owner: addressOf(key), amount, needsZeroAllowance: false })

async function supply(amount: bigint): Promise<Hex> {
  const key = await market.wallet(fluid, amount)
  await market.send(key, callsOf(await planOf(key, amount)))
  return key
}

async function unwind(key: Hex, amount: bigint | 'full') {
  const { shares } = await positionOf(key)
  const plan = { strategy: fluid, owner: addressOf(key), amount, shares }
  return market.send(key, callsOf(await erc4626.planUnwind(market.chain, plan)))
}

/** What the vault itself says that somebody could withdraw who holds more than that. */
async function reported(at: number): Promise<bigint> {
  const call = { address: fluid.params.vault!, abi: vaultAbi, functionName: 'maxWithdraw', args: [addressOf(whale)] }
  return (await readIntegers(market.chain, [call], at))[0]!
}

test('liquidity is what the vault reports, to a unit of rounding, while the limit falls and when tokens are lent out', async () => {
  const expectReported = async () => {
    const at = (await market.chain.heads()).latest
    const [rates] = await erc4626.rates(market.chain, [{ strategy: fluid, past: undefined }], at)
    const vaults = await reported(at.number)
    expect([vaults, vaults - 1n]).toContain(rates!.liquidity)
    return rates!.liquidity
  }
  await set({ withdrawable: 30n * UNIT })
  expect(await expectReported()).toBeLessThan(40n * UNIT)
  await market.devnet.increaseTime(6 * HOUR)
  const grown = await expectReported()
  expect(grown).toBeGreaterThan(9_000n * UNIT)
  expect(grown).toBeLessThan(11_000n * UNIT)
  await market.devnet.increaseTime(48 * HOUR)
  // A fifth of the supply, and no more however long it takes.
  expect(await expectReported()).toBeLessThan(41_000n * UNIT)
  // All of it can be withdrawn, to the last unit, and then nothing more.
  const { withdrawable } = await positionOf(whale)
  await unwind(whale, withdrawable)
  expect(await expectReported()).toBeLessThan(10n * UNIT)
  await market.devnet.increaseTime(48 * HOUR)
  await set({ liquidity: 'leave' })
  await set({ liquidity: 'return', amount: 12n * UNIT })
  expect(await expectReported()).toBe(12n * UNIT)
  await set({ liquidity: 'return' })
})

test('the first withdrawals use the limit up, the rest follows with time, and deposits add to it', async () => {
  const key = await supply(5_000n * UNIT)
  await set({ withdrawable: 100n * UNIT })
  expect((await positionOf(key)).withdrawable).toBeLessThan(200n * UNIT)
  await expect(unwind(key, 1_000n * UNIT)).rejects.toThrow('WithdrawalLimitReached')
  await unwind(key, 99n * UNIT)
  await market.devnet.increaseTime(24 * HOUR)
  await unwind(key, 'full')
  expect(await positionOf(key)).toMatchObject({ shares: 0n, withdrawable: 0n })
  await set({ withdrawable: 0n })
  const later = await supply(700n * UNIT)
  await unwind(later, 600n * UNIT)
})

test('a pause that neither maxDeposit nor maxWithdraw shows is reported', async () => {
  const key = await supply(50n * UNIT)
  await set({ paused: true })
  const at = (await market.chain.heads()).latest.number
  expect(await reported(at)).toBeGreaterThan(0n)
  expect(await ratesOf()).toMatchObject({ deposits: { state: 'paused', room: 0n }, withdrawals: 'paused' })
  expect((await positionOf(key)).withdrawable).toBe(0n)
  await expect(planOf(key, UNIT)).rejects.toMatchObject({ code: 'STRATEGY_NOT_ACTIVE', details: { reason: 'paused' } })
  await expect(unwind(key, UNIT)).rejects.toThrow('UserPaused')
  await set({ paused: false })
  expect(await ratesOf()).toMatchObject({ deposits: { state: 'open', room: null }, withdrawals: 'open' })
  await unwind(key, 'full')
})

test('the value of a position is what a full withdrawal pays, and the price grows with each second', async () => {
  const key = await supply(3_000n * UNIT)
  await market.devnet.increaseTime(30 * 24 * HOUR)
  const { shares, price } = await positionOf(key)
  const value = erc4626.valueOf(shares, price)
  expect(value).toBeGreaterThan(3_000n * UNIT)
  const [transaction] = await unwind(key, 'full')
  const movement = erc4626.netMovement(fluid, addressOf(key), transaction!)!
  expect(movement.shares).toBe(shares)
  expect(movement.assets).toBeGreaterThanOrEqual(value)
  expect(movement.assets).toBeLessThan(value + UNIT)
  const { apy } = await ratesOf()
  expect(apy).toBeGreaterThan(0)
})

test('the liquidity of a past block is that of that block', async () => {
  await set({ withdrawable: 40n * UNIT })
  const at = (await market.chain.heads()).latest
  const query = [{ strategy: fluid, past: undefined }]
  const [before] = await erc4626.rates(market.chain, query, at)
  await market.devnet.increaseTime(10 * HOUR)
  const [after] = await erc4626.rates(market.chain, query, at)
  expect(after!.liquidity).toBe(before!.liquidity)
})

test.each(['getData', 'readFromStorage'])('without %s it is CHAIN_UNAVAILABLE, never a guess', async (name) => {
  const chain = answering(market.chain, { [name]: () => undefined })
  await expect(ratesOf(chain)).rejects.toMatchObject({ code: 'CHAIN_UNAVAILABLE' })
  await expect(positionOf(whale, chain)).rejects.toMatchObject({ code: 'CHAIN_UNAVAILABLE' })
})
