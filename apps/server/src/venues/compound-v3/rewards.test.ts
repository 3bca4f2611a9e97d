import fc from 'fast-check'
import { type Hex, parseAbi } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { answering } from '../../../testing/venues/answering.ts'
import { addressOf, callsOf, type Market, startMarket } from '../../../testing/venues/market.ts'
import { contractCall } from '../evm/contract-call.ts'
import type { Strategy } from '../port.ts'
import { rewardSourceOf } from '../readings.ts'
import { compoundV3 } from './index.ts'
import { accruedTracking, readRewards } from './rewards.ts'

const UNIT = 1_000_000n
const WHOLE = 10n ** 18n
const SCALE = 10n ** 15n
const MONTH = 30 * 86_400

let market: Market
let usdc: Strategy
beforeAll(async () => {
  market = await startMarket('polygon')
  usdc = market.strategy('compound-v3:polygon:USDC')
})
afterAll(() => market.stop())

const rewards = async (answers: Parameters<typeof answering>[1] = {}, at?: number) =>
  readRewards(answering(market.chain, answers), usdc, at)
const rates = async () => (await compoundV3.rates(market.chain, [{ strategy: usdc, past: undefined }]))[0]!
const set = (rewardBasisPoints: number) => market.devnet.setStrategyState(usdc.key, { rewardBasisPoints })

async function supply(amount: bigint): Promise<{ key: Hex; at: number }> {
  const key = await market.wallet(usdc, amount)
  const plan = { strategy: usdc, owner: addressOf(key), amount, needsZeroAllowance: false }
  const sent = await market.send(key, callsOf(await compoundV3.planSupply(market.chain, plan)))
  return { key, at: sent.at(-1)!.blockNumber }
}

test('a month of the index is what the contract of the rewards pays for the principal', async () => {
  const { key, at } = await supply(50_000n * UNIT)
  const [principal] = await compoundV3.shares(market.chain, [{ strategy: usdc, owner: addressOf(key) }])
  const before = await rewards({}, at)
  await market.devnet.increaseTime(MONTH)
  const abi = parseAbi(['function claim(address market, address src, bool shouldAccrue)'])
  const args = [usdc.params.comet as Hex, addressOf(key) as Hex, true] as const
  const [claim] = await market.send(key, [
    contractCall(rewardSourceOf(usdc)!.rewards, { abi, functionName: 'claim', args }),
  ])
  const after = await rewards({}, claim!.blockNumber)
  const { token, factor } = after!.paidIn!
  const [paid] = await market.chain.balances([{ owner: addressOf(key), token }])
  const owed = (principal! * (after!.index - before!.index) * factor) / SCALE / UNIT
  // The contract counts whole millionths of a token.
  expect(owed - paid!).toBeGreaterThanOrEqual(0n)
  expect(owed - paid!).toBeLessThan(10n ** 12n)
  expect(Number(paid!) / Number(WHOLE)).toBeCloseTo(50_000 * 0.01 * (1_000 / 1_050) * (30 / 365), 0)
})

test('between accruals the index grows by the second to what Comet writes next, also for a past block', async () => {
  await market.devnet.increaseTime(MONTH)
  const { number: earlier, time } = (await market.chain.heads()).latest
  const read = (await rewards({}, earlier))!.index
  await market.devnet.increaseTime(MONTH)
  const { at } = await supply(UNIT)
  const [before, after] = [await stored(earlier), await stored(at)]
  expect((await rewards({}, at))!.index).toBe(after.trackingSupplyIndex)
  const passed = BigInt(time.getTime() / 1_000 - before.lastAccrualTime)
  const grown = after.trackingSupplyIndex - before.trackingSupplyIndex
  const expected = (grown * passed) / BigInt(after.lastAccrualTime - before.lastAccrualTime)
  expect(passed).toBeGreaterThanOrEqual(BigInt(MONTH))
  // Both are rounded down.
  expect([expected, expected + 1n]).toContain(read - before.trackingSupplyIndex)
  expect((await rewards({}, earlier))!.index).toBe(read)
})

async function stored(at: number) {
  const [totals] = await market.chain.multicall([TOTALS()], at)
  return totals as { readonly trackingSupplyIndex: bigint; readonly lastAccrualTime: number }
}

const TOTALS = () => ({
  address: usdc.params.comet!,
  abi: parseAbi([
    'struct TotalsBasic { uint64 baseSupplyIndex; uint64 baseBorrowIndex; uint64 trackingSupplyIndex; uint64 trackingBorrowIndex; uint104 totalSupplyBase; uint104 totalBorrowBase; uint40 lastAccrualTime; uint8 pauseFlags; }',
    'function totalsBasic() view returns (TotalsBasic)',
  ]),
  functionName: 'totalsBasic',
})

test('neither APY nor price contain rewards, however high they are', async () => {
  await set(0)
  const without = await rates()
  expect(without.rewards).toMatchObject({ accrues: false })
  expect((await market.devnet.setStrategyState(usdc.key, { rewardBasisPoints: 10_000 })).rewardBasisPoints).toBe(10_000)
  await market.devnet.increaseTime(1)
  const { rewards: high, ...rest } = await rates()
  expect(high).toMatchObject({ accrues: true })
  expect(rest.apy).toBeCloseTo(without.apy, 6)
  expect(Number(rest.price - without.price) / Number(without.price)).toBeLessThan(1e-6)
  await set(100)
})

test('nothing accrues without a speed, without deposits, and below the least that earns', async () => {
  const index = (await rewards({ baseTrackingSupplySpeed: () => 0n }))!.index
  await market.devnet.increaseTime(MONTH)
  expect(await rewards({ baseTrackingSupplySpeed: () => 0n })).toMatchObject({ index, accrues: false })
  expect(await rewards({ baseMinForRewards: () => 10n ** 30n })).toMatchObject({ index, accrues: false })
  expect(await rewards()).toMatchObject({ accrues: true })
})

test('a market that tracks nothing, or answers otherwise, has no rewards, and its other rates stay', async () => {
  for (const name of ['baseTrackingSupplySpeed', 'baseMinForRewards', 'trackingIndexScale'])
    expect(await rewards({ [name]: () => undefined })).toBeUndefined()
  expect(await rewards({ trackingIndexScale: () => 0n })).toBeUndefined()
  const older = answering(market.chain, { baseTrackingSupplySpeed: () => undefined })
  const [read] = await compoundV3.rates(older, [{ strategy: usdc, past: undefined }])
  expect(read).not.toHaveProperty('rewards')
  expect(read!.apy).toBeGreaterThan(0.02)
})

test('what the rewards are paid in follows from the contract that pays them', async () => {
  const token = usdc.tokenAddress
  const paidIn = async (config: () => unknown, scale = SCALE) =>
    (await rewards({ rewardConfig: config, trackingIndexScale: () => scale }))!.paidIn
  expect(await paidIn(() => [token, 1n, true, 2n * WHOLE])).toEqual({ token, factor: 2n * WHOLE })
  // The first deployments have no multiplier.
  expect(await paidIn(() => [token, 1n, true])).toEqual({ token, factor: WHOLE })
  expect(await paidIn(() => [token, 1n, true, WHOLE], SCALE * 10n)).toEqual({ token, factor: WHOLE / 10n })
  expect(await paidIn(() => undefined)).toBeUndefined()
  expect(await paidIn(() => [`0x${'0'.repeat(40)}`, 0n, false, 0n])).toBeUndefined()
  const unnamed = { ...usdc, params: { comet: usdc.params.comet! } }
  expect(await readRewards(market.chain, unnamed)).toMatchObject({ accrues: true })
  expect(await readRewards(market.chain, unnamed)).not.toHaveProperty('paidIn')
})

test('an index never pays more than its speed, and less only by rounding', () => {
  const amount = fc.bigInt({ min: 1n, max: 10n ** 15n })
  fc.assert(
    fc.property(amount, amount, fc.bigInt({ min: 0n, max: 10n ** 9n }), (speed, supplied, elapsed) => {
      const grown = accruedTracking(0n, { speed, elapsed, supplied, whole: UNIT })
      expect(grown * supplied).toBeLessThanOrEqual(speed * elapsed * UNIT)
      expect((grown + 1n) * supplied).toBeGreaterThan(speed * elapsed * UNIT)
    }),
  )
})
