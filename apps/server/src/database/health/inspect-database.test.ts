import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../testing/index.ts'
import { inspectDatabase } from './inspect-database.ts'

let database: TestDatabase
beforeEach(async () => {
  database = await testDatabase()
})
afterEach(() => database.close())

test('the facts of a migrated database are right, and reading them writes nothing', async () => {
  const { db } = database
  const state = async () => (await sql`select * from database_history`.execute(db)).rows
  const before = await state()
  expect(await inspectDatabase(db, Date.now)).toMatchObject({
    mayCreate: true,
    keepsSession: true,
    isSynchronous: false,
    lostAt: undefined,
    migrations: { pending: [], unknown: [] },
  })
  expect(await state()).toEqual(before)
})

test('missing migrations are pending, and those of a newer version are unknown', async () => {
  const { db } = database
  await sql`delete from kysely_migration where name = '0056-accepted-breaks'`.execute(db)
  await sql`insert into kysely_migration values ('9999-later', '2030-01-01')`.execute(db)
  await sql`delete from migration_steps where migration = '0059-retention' and step = 0`.execute(db)
  const { migrations } = await inspectDatabase(db, Date.now)
  expect(migrations).toEqual({ pending: ['0056-accepted-breaks', '0059-retention'], unknown: ['9999-later'] })
})

test('in an empty database every migration is pending, and nothing was lost', async () => {
  const { db } = database
  await sql`drop table kysely_migration, migration_steps, database_history cascade`.execute(db)
  const { migrations, lostAt } = await inspectDatabase(db, Date.now)
  expect(migrations.pending[0]).toBe('0001-identity')
  expect(lostAt).toBeUndefined()
})

test('a clock that differs is noticed, and the round trip does not count', async () => {
  const facts = await inspectDatabase(database.db, () => Date.now() - 60_000)
  expect(Math.round(facts.clockAheadMs / 60_000)).toBe(1)
  expect(facts.clockAheadMs).toBeLessThanOrEqual(60_000)
})
