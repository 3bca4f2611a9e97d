import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../testing/index.ts'
import { strategiesOnChain, strategyById } from './find-strategies.ts'
import { listVenues, venueById } from './list-venues.ts'
import { seedCatalogue } from './seed-catalogue.ts'
import { pastPrices, saveRates } from './strategy-rates.ts'
import { strategySeed, venueSeed } from './test-seeds.ts'

let database: TestDatabase
beforeEach(async () => {
  database = await testDatabase()
})
afterEach(() => database.close())

const rates = {
  price: 10n ** 30n,
  apy: 0.05,
  tvl: 9n,
  liquidity: 5n,
  deposits: { state: 'open', room: 7n },
  withdrawals: 'open',
} as const
const day = (n: number) => new Date(Date.UTC(2026, 0, n))

async function idsByKey(): Promise<Map<string, number>> {
  return new Map((await strategiesOnChain(database.db, 'polygon')).map(({ key, id }) => [key, id]))
}

test('ids follow their keys across restarts, whatever else changes or moves', async () => {
  const { db } = database
  await seedCatalogue(db, [
    venueSeed('v1', [strategySeed('a'), strategySeed('b')]),
    venueSeed('v2', [strategySeed('c')]),
  ])
  const before = await idsByKey()
  const venues = await listVenues(db)
  await seedCatalogue(db, [
    venueSeed('v2', [strategySeed('new'), strategySeed('c'), strategySeed('b', { name: 'B', maxDeposit: 7n })]),
    venueSeed('v1', [strategySeed('a', { status: 'paused' })], { name: 'Renamed' }),
  ])
  const after = await idsByKey()
  for (const [key, id] of before) expect(after.get(key)).toBe(id)
  expect((await listVenues(db)).map(({ id }) => id)).toEqual(venues.map(({ id }) => id))
  expect(await strategyById(db, before.get('b')!)).toMatchObject({ name: 'B', maxDeposit: 7n, venueName: 'v2' })
  expect(await venueById(db, venues[0]!.id)).toMatchObject({ name: 'Renamed', strategies: [{ status: 'paused' }] })
})

test('processes that seed concurrently end with one catalogue', async () => {
  const { db } = database
  const seeds = [venueSeed('v1', [strategySeed('a'), strategySeed('b')]), venueSeed('v2', [strategySeed('c')])]
  await Promise.all([seedCatalogue(db, seeds), seedCatalogue(db, [...seeds].reverse()), seedCatalogue(db, seeds)])
  const listed = (await listVenues(db)).map(({ strategies }) => strategies.map(({ key }) => key).join())
  expect(listed.sort()).toEqual(['a,b', 'c'])
})

test('an entry no longer listed is deprecated, never removed, and revived when it returns', async () => {
  const { db } = database
  const whole = [venueSeed('v1', [strategySeed('a'), strategySeed('b')]), venueSeed('v2', [strategySeed('c')])]
  await seedCatalogue(db, whole)
  const status = async () =>
    (await listVenues(db)).map((venue) => [venue.status, ...venue.strategies.map((strategy) => strategy.status)])
  await seedCatalogue(db, [venueSeed('v1', [strategySeed('a')])])
  expect(await status()).toEqual([
    ['active', 'active', 'deprecated'],
    ['deprecated', 'deprecated'],
  ])
  await seedCatalogue(db, whole)
  expect(await status()).toEqual([
    ['active', 'active', 'active'],
    ['active', 'active'],
  ])
  await seedCatalogue(db, [], { chains: ['polygon'] })
  expect(await status()).toEqual([
    ['deprecated', 'deprecated', 'deprecated'],
    ['deprecated', 'deprecated'],
  ])
})

test('readings survive a restart, but not a move to another contract', async () => {
  const { db } = database
  const seeds = [venueSeed('v1', [strategySeed('stays'), strategySeed('moves')])]
  await seedCatalogue(db, seeds)
  const ids = await idsByKey()
  const readings = [...ids.values()].map((strategyId) => ({ strategyId, ...rates }))
  await saveRates(db, { number: 5, time: day(1) }, readings, day(1))
  await seedCatalogue(db, seeds)
  expect(await strategyById(db, ids.get('moves')!)).toMatchObject(rates)
  // The same contract, read in another way.
  const { vault } = strategySeed('stays').params
  const params = { vault: vault!, limits: 'unreported', rate: 'ssr', cash: 'reported' }
  await seedCatalogue(db, [venueSeed('v1', [strategySeed('stays', { params }), strategySeed('moves')])])
  expect(await strategyById(db, ids.get('stays')!)).toMatchObject({ ...rates, params })

  await seedCatalogue(db, [
    venueSeed('v1', [strategySeed('stays'), strategySeed('moves', { params: { vault: '0x1' } })]),
  ])
  expect(await strategyById(db, ids.get('moves')!)).toMatchObject({
    price: null,
    tvl: null,
    liquidity: null,
    apy: 0,
    deposits: null,
  })
  expect(await strategyById(db, ids.get('stays')!)).toMatchObject(rates)
  expect([...(await pastPrices(db, 'polygon', day(3))).keys()]).toEqual([ids.get('stays')])
})

describe('a start never undoes what others know', () => {
  const on = (blockchain: string, keys: readonly string[]) =>
    venueSeed(
      blockchain,
      keys.map((key) => strategySeed(key)),
      { blockchain },
    )
  const statuses = async (blockchain: string) =>
    (await strategiesOnChain(database.db, blockchain)).map(({ key, status }) => `${key} ${status}`)

  test('in a process that serves fewer chains', async () => {
    const { db } = database
    await seedCatalogue(db, [on('polygon', ['p']), on('base', ['b'])])
    await seedCatalogue(db, [on('polygon', ['p'])], { chains: ['polygon'] })
    expect(await statuses('base')).toEqual(['b active'])
    expect((await listVenues(db)).map(({ status }) => status)).toEqual(['active', 'active'])
  })

  test('in a process with older seeds, which neither removes nor moves newer entries of its chains', async () => {
    const { db } = database
    await seedCatalogue(db, [on('polygon', ['p', 'new'])], { revision: 8 })
    await seedCatalogue(db, [on('polygon', ['p'])], { revision: 7 })
    expect(await statuses('polygon')).toEqual(['p active', 'new active'])
    await seedCatalogue(db, [on('polygon', ['p'])], { revision: 9 })
    expect(await statuses('polygon')).toEqual(['p active', 'new deprecated'])
  })

  test('and keeps a pause that the service set, until the strategy moves to other contracts', async () => {
    const { db } = database
    const seeds = (params = {}) => [venueSeed('v', [strategySeed('s', params)])]
    await seedCatalogue(db, seeds())
    await db.updateTable('strategies').set({ status: 'paused', paused_because: 'wrong_token' }).execute()
    await seedCatalogue(db, seeds())
    expect(await statuses('polygon')).toEqual(['s paused'])
    await seedCatalogue(db, [], { chains: ['polygon'] })
    await seedCatalogue(db, seeds())
    expect(await statuses('polygon')).toEqual(['s paused'])
    await seedCatalogue(db, seeds({ params: { vault: '0x1' } }))
    expect(await statuses('polygon')).toEqual(['s active'])
  })
})
