import { afterEach, beforeEach, expect, test } from 'vitest'
import { countStatements, type TestDatabase, testDatabase } from '../../../testing/index.ts'
import { strategiesOnChain } from '../catalogue/find-strategies.ts'
import { seedCatalogue } from '../catalogue/seed-catalogue.ts'
import { saveRates } from '../catalogue/strategy-rates.ts'
import { strategySeed, venueSeed } from '../catalogue/test-seeds.ts'
import { strategiesAtEndOf } from './strategies-at.ts'

let database: TestDatabase
let ids: number[]
beforeEach(async () => {
  database = await testDatabase()
  await seedCatalogue(database.db, [venueSeed('v', [strategySeed('one'), strategySeed('two')])])
  ids = (await strategiesOnChain(database.db, 'polygon')).map(({ id }) => id)
})
afterEach(() => database.close())

const at = (day: number, second = 0) => new Date(Date.UTC(2026, 0, day, 0, 0, second))
const save = (strategyId: number, time: Date, price: bigint, tvl = 1_000n) =>
  saveRates(
    database.db,
    { number: 1, time },
    [{ strategyId, price, apy: 0, tvl, liquidity: null, deposits: { state: 'open', room: null }, withdrawals: 'open' }],
    time,
  )

test('a day ends with the first reading of the next one', async () => {
  const [one, two] = ids as [number, number]
  await save(one, at(10), 1_000_000n, 5_000n)
  await save(one, at(11, 20), 1_000_100n, 6_000n)
  await save(one, at(11, 80), 1_000_200n, 7_000n)
  await save(two, at(10), 1_000_000n)
  const { result, statements } = await countStatements(() => strategiesAtEndOf(database.db, '2026-01-10'))
  expect(statements).toBe(1)
  expect(result).toMatchObject([{ strategyId: one, tvl: 6_000n, liquidity: null, readAt: at(11, 20) }])
  expect(await strategiesAtEndOf(database.db, '2026-01-09')).toMatchObject([{ tvl: 5_000n }, { strategyId: two }])
  expect(await strategiesAtEndOf(database.db, '2026-01-11')).toEqual([])
})

test('yields are measured over calendar days up to the reading, not up to now', async () => {
  const [one] = ids as [number]
  await save(one, at(3), 1_000_000n)
  await save(one, at(9, 40), 1_010_000n)
  await save(one, at(10, 20), 1_010_100n)
  await save(one, at(20), 2_000_000n)
  const [{ yields } = { yields: [] }] = await strategiesAtEndOf(database.db, '2026-01-09')
  const [day, week, month] = yields
  expect(day).toMatchObject({ days: 1, from: at(9, 40) })
  expect(day!.apy).toBeCloseTo((1_010_100 / 1_010_000) ** ((365 * 86_400) / (86_400 - 20)) - 1, 9)
  expect(week).toMatchObject({ days: 7, from: at(3) })
  expect(month).toEqual({ days: 30, apy: null, rewardApy: null, from: null })
})
