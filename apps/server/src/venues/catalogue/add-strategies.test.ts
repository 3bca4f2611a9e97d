import { expect, test } from 'vitest'
import { testDatabase } from '../../../testing/index.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { addStrategies } from './add-strategies.ts'
import { listVenues } from './list-venues.ts'
import { seedCatalogue } from './seed-catalogue.ts'
import { strategySeed, venueSeed } from './test-seeds.ts'

/** main/start/await-venues.test.ts tests when the service adds strategies. */

const database = useFixture(testDatabase)

async function catalogue(): Promise<string[]> {
  const venues = await listVenues(database.db)
  return venues.flatMap(({ name, status, strategies }) =>
    strategies.map((strategy) => `${name} ${status}: ${strategy.name} ${strategy.status}`),
  )
}

test('strategies are added once, by several processes at once, and those that are there stay as they are', async () => {
  const ended = strategySeed('one', { status: 'deprecated' })
  await seedCatalogue(database.db, [venueSeed('a', [ended]), venueSeed('b', [strategySeed('two')])])
  expect(await catalogue()).toEqual(['a deprecated: one deprecated', 'b active: two active'])
  const added = [venueSeed('a', [strategySeed('one')]), venueSeed('c', [strategySeed('three')])]
  await Promise.all([addStrategies(database.db, added), addStrategies(database.db, added)])
  await addStrategies(database.db, [])
  expect(await catalogue()).toEqual(['a deprecated: one deprecated', 'b active: two active', 'c active: three active'])
  await addStrategies(database.db, [venueSeed('a', [strategySeed('four')])])
  expect((await catalogue()).slice(0, 2)).toEqual(['a active: one deprecated', 'a active: four active'])
})
