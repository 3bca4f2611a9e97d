import { afterEach, beforeEach, expect, test } from 'vitest'
import { countStatements, type TestDatabase, testDatabase } from '../../../testing/index.ts'
import { strategiesOnChain } from './find-strategies.ts'
import { seedCatalogue } from './seed-catalogue.ts'
import { deleteRates, pastPrices, type StrategyRates, saveRates } from './strategy-rates.ts'
import { strategySeed, venueSeed } from './test-seeds.ts'

let database: TestDatabase
let one: number
let other: number
beforeEach(async () => {
  database = await testDatabase()
  await seedCatalogue(database.db, [venueSeed('v', [strategySeed('one'), strategySeed('other')])])
  const strategies = await strategiesOnChain(database.db, 'polygon')
  one = strategies[0]!.id
  other = strategies[1]!.id
})
afterEach(() => database.close())

const read = (strategyId: number, price: bigint): StrategyRates => ({
  strategyId,
  price,
  apy: 0.04,
  tvl: 10n ** 40n,
  liquidity: 3n,
  deposits: { state: 'full', room: 0n },
  withdrawals: 'paused',
})
const at = (day: number, hour = 0) => new Date(Date.UTC(2026, 0, day, hour))
const save = (time: Date, ...readings: ReturnType<typeof read>[]) =>
  saveRates(database.db, { number: 1, time }, readings, time)
const past = async (now: Date, id = one) => (await pastPrices(database.db, 'polygon', now)).get(id)

test('one statement saves the current figures of all strategies, however large', async () => {
  const slow = {
    ...read(one, 2n ** 200n),
    timelockSeconds: 86_400,
    shortfall: 10n ** 30n,
    entryFeeBps: 1_000,
    exitFeeBps: 0,
  }
  const { statements } = await countStatements(() => save(at(1), slow, read(other, 7n)))
  expect(statements).toBe(1)
  expect(await strategiesOnChain(database.db, 'polygon')).toMatchObject([
    {
      id: one,
      price: 2n ** 200n,
      apy: 0.04,
      tvl: 10n ** 40n,
      liquidity: 3n,
      deposits: { state: 'full', room: 0n },
      withdrawals: 'paused',
      timelockSeconds: 86_400,
      shortfall: 10n ** 30n,
      entryFeeBps: 1_000,
      exitFeeBps: 0,
    },
    { id: other, price: 7n, timelockSeconds: null, shortfall: null, entryFeeBps: null, exitFeeBps: null },
  ])
})

test('the past price is the newest reading that is a week old', async () => {
  for (const day of [1, 2, 3, 4]) await save(at(day), read(one, BigInt(day)))
  expect(await past(at(10, 5))).toEqual({ price: 3n, at: at(3) })
  expect(await past(at(60))).toEqual({ price: 4n, at: at(4) })
})

test('until a reading is a week old, it is the oldest reading of at least a day', async () => {
  await save(at(1, 12), read(one, 1n))
  await save(at(2, 12), read(one, 2n), read(other, 9n))
  expect(await past(at(2, 11))).toBeUndefined()
  expect(await past(at(2, 12))).toEqual({ price: 1n, at: at(1, 12) })
  expect(await past(at(3, 11), other)).toBeUndefined()
})

test('the first reading of a UTC day is kept for that day', async () => {
  await save(at(1, 1), read(one, 1n))
  await save(at(1, 23), read(one, 2n))
  expect(await past(at(3))).toEqual({ price: 1n, at: at(1, 1) })
})

test('a chain that was reset has no past and no current figures', async () => {
  await save(at(1), read(one, 1n))
  await deleteRates(database.db, 'base')
  expect(await past(at(3))).toBeDefined()
  await deleteRates(database.db, 'polygon')
  expect(await past(at(3))).toBeUndefined()
  expect(await strategiesOnChain(database.db, 'polygon')).toMatchObject([{ price: null, tvl: null, apy: 0 }, {}])
})
