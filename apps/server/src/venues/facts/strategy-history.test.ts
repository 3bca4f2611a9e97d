import { afterEach, beforeEach, expect, test } from 'vitest'
import { countStatements, type TestDatabase, testDatabase } from '../../../testing/index.ts'
import { strategiesOnChain } from '../catalogue/find-strategies.ts'
import { seedCatalogue } from '../catalogue/seed-catalogue.ts'
import { type StrategyRates, saveRates } from '../catalogue/strategy-rates.ts'
import { strategySeed, venueSeed } from '../catalogue/test-seeds.ts'
import type { RewardReading } from '../port.ts'
import { measuredYields, poolHistory, utilizationOf } from './strategy-history.ts'

let database: TestDatabase
let id: number
let unread: number
beforeEach(async () => {
  database = await testDatabase()
  await seedCatalogue(database.db, [venueSeed('v', [strategySeed('one'), strategySeed('unread')])])
  const strategies = await strategiesOnChain(database.db, 'polygon')
  id = strategies[0]!.id
  unread = strategies[1]!.id
})
afterEach(() => database.close())

const at = (day: number, hour = 0) => new Date(Date.UTC(2026, 0, day, hour))
const reading = (price: bigint): StrategyRates => ({
  strategyId: id,
  price,
  apy: 0,
  tvl: 1_000n,
  liquidity: 400n,
  deposits: { state: 'open', room: null },
  withdrawals: 'open',
})
const save = (time: Date, price: bigint, tvl = 1_000n, liquidity = 400n) =>
  saveRates(database.db, { number: 1, time }, [{ ...reading(price), tvl, liquidity }], time)

const REWARD = `0x${'1'.repeat(40)}`
const WHOLE = 10n ** 18n
const PAID: Omit<RewardReading, 'index'> = { accrues: true, paidIn: { token: REWARD, factor: WHOLE } }
const saveRewards = (time: Date, index: bigint, more = PAID) => {
  const rewards = { index, ...more }
  return saveRates(database.db, { number: 1, time }, [{ ...reading(1_000_000n), rewards }], time)
}
async function price(tokenAddress: string, dollars: bigint, pricedAt: Date): Promise<void> {
  const row = { blockchain: 'polygon', token_address: tokenAddress, price: dollars * 10n ** 8n, priced_at: pricedAt }
  await database.db
    .insertInto('token_prices')
    .values({ ...row, read_at: pricedAt })
    .onConflict((conflict) => conflict.columns(['blockchain', 'token_address']).doUpdateSet(row))
    .execute()
}
const rewardsOf = async () => (await measuredYields(database.db, [id])).get(id)!.map(({ rewardApy }) => rewardApy)

test('yields are measured from the newest reading that is old enough, in one statement', async () => {
  await save(at(1), 1_000_000n)
  await save(at(24), 1_010_000n)
  await save(at(31), 1_020_000n)
  const { result, statements } = await countStatements(() => measuredYields(database.db, [id, unread]))
  expect(statements).toBe(1)
  const [day, week, month] = result.get(id)!
  expect(day).toMatchObject({ days: 1, from: at(24) })
  expect(week).toMatchObject({ days: 7, from: at(24) })
  expect(week!.apy).toBeCloseTo((1_020_000 / 1_010_000) ** (365 / 7) - 1, 9)
  expect(month).toMatchObject({ days: 30, from: at(1) })
  expect(month!.apy).toBeCloseTo(1.02 ** (365 / 30) - 1, 9)
  expect(result.get(unread)).toEqual([1, 7, 30].map((days) => ({ days, apy: null, rewardApy: null, from: null })))
})

test('a loss is a negative yield, and a period without an old reading has none', async () => {
  await save(at(1), 1_000_000n)
  await save(at(2, 1), 970_000n)
  const [day, week] = (await measuredYields(database.db, [id])).get(id)!
  expect(day!.apy).toBeLessThan(-0.9)
  expect(week).toEqual({ days: 7, apy: null, rewardApy: null, from: null })
})

test('rewards are measured beside the yield, at the last price, in the same statement', async () => {
  const { tokenAddress } = (await strategiesOnChain(database.db, 'polygon'))[0]!
  await saveRewards(at(1), 0n)
  await saveRewards(at(24), 20_000n)
  await saveRewards(at(31), 30_000n)
  expect(await rewardsOf(), 'without prices').toEqual([null, null, null])
  await price(tokenAddress, 1n, at(31))
  await price(REWARD, 2n, at(30))
  const { result, statements } = await countStatements(() => measuredYields(database.db, [id]))
  expect(statements).toBe(1)
  const [day, week, month] = result.get(id)!
  expect(week!.rewardApy).toBeCloseTo(1.02 ** (365 / 7) - 1, 9)
  expect(day!.rewardApy).toBe(week!.rewardApy)
  expect(month!.rewardApy).toBeCloseTo(1.06 ** (365 / 30) - 1, 9)
  expect(result.get(id)!.map(({ apy }) => apy)).toEqual([0, 0, 0])
  await price(REWARD, 2n, at(29))
  expect(await rewardsOf(), 'an old price').toEqual([null, null, null])
})

test('rewards are unknown since before they were read, and zero where nothing was paid', async () => {
  await save(at(1), 1_000_000n)
  const idle = { accrues: false }
  await saveRewards(at(24), 5n, idle)
  await saveRewards(at(31), 5n, idle)
  expect(await rewardsOf()).toEqual([0, 0, null])
  await save(at(31, 1), 1_000_000n)
  expect(await rewardsOf(), 'the protocol no longer reports them').toEqual([null, null, null])
})

test('the history of a pool has its first reading of each day, oldest first', async () => {
  await save(at(1), 1n, 1_000n, 500n)
  await save(at(5), 1n, 2_000n, 0n)
  await save(at(5, 12), 1n, 9_000n, 9_000n)
  await save(at(6), 1n, 3_000n, 1n)
  expect(await poolHistory(database.db, { id }, 3)).toEqual([
    { day: '2026-01-05', tvl: 2_000n, liquidity: 0n, priceIndex: 1, apy: 0 },
    { day: '2026-01-06', tvl: 3_000n, liquidity: 1n, priceIndex: 1, apy: null },
  ])
  expect(await poolHistory(database.db, { id }, 30)).toHaveLength(3)
  expect(await poolHistory(database.db, { id: unread }, 30)).toEqual([])
})

test('each day has the share price against the first, and the APY until the next reading', async () => {
  await save(at(1), 1_000_000n)
  await save(at(2), 1_010_000n)
  await save(at(4), 999_900n)
  await save(at(4, 20), 2_000_000n)
  const [first, second, last] = await poolHistory(database.db, { id }, 30)
  expect(first!.apy).toBeCloseTo(Math.min(1.01 ** 365 - 1, 100), 9)
  expect(second).toMatchObject({ day: '2026-01-02', priceIndex: 1.01 })
  expect(second!.apy).toBeCloseTo(0.99 ** (365 / 2) - 1, 9)
  expect(last).toMatchObject({ day: '2026-01-04', priceIndex: 0.9999, apy: null })
})

test('utilization is the share of a pool that is lent out, and unknown where the pool does not report it', () => {
  expect(utilizationOf({ protocol: 'aave-v3', params: {}, tvl: 1_000n, liquidity: 250n })).toBe(0.75)
  expect(utilizationOf({ protocol: 'aave-v3', params: {}, tvl: 1_000n, liquidity: 1_001n })).toBe(0)
  expect(utilizationOf({ protocol: 'aave-v3', params: {}, tvl: 0n, liquidity: 0n })).toBeNull()
  expect(utilizationOf({ protocol: 'aave-v3', params: {}, tvl: null, liquidity: null })).toBeNull()
  const vault = (liquidity: bigint | null, params: Record<string, string> = {}) =>
    utilizationOf({ protocol: 'erc4626', params, tvl: 1_000n, liquidity })
  expect([vault(null), vault(250n), vault(250n, { cash: 'reported' })]).toEqual([null, 0.75, 0.75])
  // What it does not pay out may be held back by the limit, or not minted yet, and is not lent.
  expect([vault(250n, { cash: 'fluid' }), vault(250n, { cash: 'held' })]).toEqual([null, null])
  expect(utilizationOf({ protocol: 'erc7540', params: {}, tvl: 1_000n, liquidity: 250n })).toBeNull()
})
