import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { testDatabase } from '../../../testing/index.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { silentLog } from '../../kernel/index.ts'
import { inTransaction } from '../queries/in-transaction.ts'
import { deleteOldRows, type Retention } from './delete-old-rows.ts'

const database = useFixture(testDatabase)
const parts = () => ({ db: database.db, log: silentLog })

const attempts: Retention = {
  table: 'login_attempts',
  statement: (limit) => sql`
    delete from login_attempts where subject in (
      select subject from login_attempts order by last_at limit ${limit} for update skip locked)`,
}
const broken: Retention = { table: 'sessions', statement: () => sql`delete from sessions where no_such_column` }

async function fill(count: number): Promise<void> {
  await sql`
    insert into login_attempts (subject, attempted_at, last_at)
    select int8send(n), '{}', now() from generate_series(1, ${count}::int) n
  `.execute(database.db)
}
const left = async () => (await database.db.selectFrom('login_attempts').select('subject').execute()).length

test('each batch is a transaction of its own, and a stop ends between two of them', async () => {
  await fill(10)
  const stop = new AbortController()
  const batches: number[] = []
  const onDeleted = (_table: string, rows: number) => {
    batches.push(rows)
    if (batches.length === 2) stop.abort()
  }
  expect(await deleteOldRows(parts(), [attempts], { batch: 4, signal: stop.signal, onDeleted })).toEqual(
    new Map([['login_attempts', 8]]),
  )
  expect(await left()).toBe(2)
  await deleteOldRows(parts(), [attempts], { batch: 4, onDeleted })
  expect(batches).toEqual([4, 4, 2])
})

test('a table that fails does not delay the others', async () => {
  await fill(3)
  expect(await deleteOldRows(parts(), [broken, attempts])).toEqual(new Map([['login_attempts', 3]]))
})

test('a row that somebody else has locked delays nothing, and goes with the next run', async () => {
  await fill(3)
  await inTransaction(database.db, async (tx) => {
    await sql`select from login_attempts where subject = int8send(2) for update`.execute(tx)
    expect(await deleteOldRows(parts(), [attempts])).toEqual(new Map([['login_attempts', 2]]))
  })
  expect(await deleteOldRows(parts(), [attempts])).toEqual(new Map([['login_attempts', 1]]))
})
