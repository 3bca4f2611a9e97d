import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../testing/index.ts'
import { inTransaction, preparedQuery, runPrepared } from '../index.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.close())

/** Names of the statements that this connection has prepared. */
const prepared = sql<{ name: string }>`select name from pg_prepared_statements where name like 'test%' order by name`

test('a named statement is prepared once on its connection and returns the rows of each call', async () => {
  const double = (value: number) => sql<{ doubled: number }>`select ${value}::int * 2 as doubled`
  await inTransaction(database.db, async (tx) => {
    expect(await runPrepared(tx, 'test double', double(2))).toEqual([{ doubled: 4 }])
    expect(await runPrepared(tx, 'test double', double(5))).toEqual([{ doubled: 10 }])
    expect((await prepared.execute(tx)).rows).toEqual([{ name: 'test double' }])
  })
})

test('a named query is built once and takes its values by name, in addition to the built-in ones', async () => {
  let built = 0
  const tablesOf = preparedQuery('test tables', (db, place: (name: 'first' | 'second') => never) => {
    built += 1
    return db
      .selectFrom(
        sql<{ name: string; size: number }>`(values ('a', 1), ('b', 2), ('c', 3))`.as<'t'>(sql`t(name, size)`),
      )
      .select(['t.name'])
      .where('t.size', '<', 3)
      .where('t.name', 'in', [place('second'), place('first')])
      .orderBy('t.name')
  })
  expect(await tablesOf(database.db, { first: 'a', second: 'c' })).toEqual([{ name: 'a' }])
  expect(await tablesOf(database.db, { first: 'b', second: 'a' })).toEqual([{ name: 'a' }, { name: 'b' }])
  expect(built).toBe(1)
})

test('one statement under two names is a programming error', async () => {
  const one = sql`select 1 as one`
  await runPrepared(database.db, 'test one', one)
  await expect(runPrepared(database.db, 'test eins', one)).rejects.toThrow('test one')
})

test('a named statement keeps working when its table gets a column: a newer process migrates alongside', async () => {
  const { db } = database
  await sql`create table test_grows as select 1 as first`.execute(db)
  const all = sql<{ first: number }>`select * from test_grows`
  const grow = (column: string) => sql`alter table test_grows add column ${sql.ref(column)} int`.execute(db)
  expect(await runPrepared(db, 'test grows', all)).toEqual([{ first: 1 }])
  await grow('second')
  expect(await runPrepared(db, 'test grows', all)).toEqual([{ first: 1, second: null }])
  await grow('third')
  const rows = await inTransaction(db, (tx) => runPrepared(tx, 'test grows', all))
  expect(rows).toEqual([{ first: 1, second: null, third: null }])
})
