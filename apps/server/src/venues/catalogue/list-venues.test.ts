import { afterAll, beforeAll, expect, test } from 'vitest'
import { countStatements, type TestDatabase, testDatabase } from '../../../testing/index.ts'
import { strategiesOnChain, strategyById } from './find-strategies.ts'
import { listVenues, type VenueFilters, venueById } from './list-venues.ts'
import { seedCatalogue } from './seed-catalogue.ts'
import { strategySeed, venueSeed } from './test-seeds.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
  await seedCatalogue(database.db, [
    venueSeed('polygon', [
      strategySeed('polygon usdc'),
      strategySeed('polygon usdt', { token: 'USDT', supportsGasSponsorship: false }),
    ]),
    venueSeed('base', [strategySeed('base usdc', { supportsGasSponsorship: false })], { blockchain: 'base' }),
  ])
})
afterAll(() => database.close())

async function listedStrategies(filters: VenueFilters): Promise<string[][]> {
  const venues = await listVenues(database.db, filters)
  return venues.map(({ strategies }) => strategies.map(({ name }) => name))
}

test('filters select strategies, and venues without any are omitted', async () => {
  expect(await listedStrategies({})).toEqual([['polygon usdc', 'polygon usdt'], ['base usdc']])
  expect(await listedStrategies({ blockchain: 'base' })).toEqual([['base usdc']])
  expect(await listedStrategies({ token: 'USDT' })).toEqual([['polygon usdt']])
  expect(await listedStrategies({ supportsGasSponsorship: true })).toEqual([['polygon usdc']])
  expect(await listedStrategies({ blockchain: 'base', token: 'USDT' })).toEqual([])
})

test('supportsGasSponsorship false filters nothing', async () => {
  expect(await listedStrategies({ supportsGasSponsorship: false })).toEqual(await listedStrategies({}))
})

test('each read is one statement', async () => {
  const [venue] = await listVenues(database.db)
  const reads = [
    () => listVenues(database.db, { blockchain: 'polygon', token: 'USDC', supportsGasSponsorship: true }),
    () => venueById(database.db, venue!.id),
    () => strategyById(database.db, venue!.strategies[0]!.id),
    () => strategiesOnChain(database.db, 'polygon'),
  ]
  for (const read of reads) expect((await countStatements(async () => void (await read()))).roundTrips).toBe(1)
})

test('an unknown id is undefined', async () => {
  expect(await venueById(database.db, 999)).toBeUndefined()
  expect(await strategyById(database.db, 999)).toBeUndefined()
})
