import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { countStatements, type TestDatabase, testDatabase } from '../../../testing/index.ts'
import { UncertainCommitError } from '../connections/durable-client.ts'
import type { Tx } from '../handles.ts'
import { inTransaction } from './in-transaction.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
  await sql`create table pots (id int primary key, amount numeric(78, 0) not null)`.execute(database.db)
  await sql`insert into pots values (1, 0), (2, 0)`.execute(database.db)
})
afterAll(() => database.close())

const add = (tx: Tx, id: number) => sql`update pots set amount = amount + 1 where id = ${id}`.execute(tx)
const raise = (tx: Tx, code: string) =>
  sql`do ${sql.lit(`begin raise exception using errcode = '${code}'; end`)}`.execute(tx)

test('two transactions that deadlock both succeed, and each runs once', async () => {
  const barrier = meetingOf(2)
  let attempts = 0
  const move = (first: number, second: number) =>
    inTransaction(database.db, async (tx) => {
      attempts += 1
      await add(tx, first)
      if (attempts <= 2) await barrier()
      await add(tx, second)
    })
  await Promise.all([move(1, 2), move(2, 1)])
  const { rows } = await sql`select amount from pots`.execute(database.db)
  expect(rows).toEqual([{ amount: 2n }, { amount: 2n }])
  expect(attempts).toBeGreaterThan(2)
})

test('a serialization failure is retried three times and then thrown', async () => {
  let attempts = 0
  const work = async (tx: Tx) => {
    attempts += 1
    await raise(tx, '40001')
  }
  await expect(inTransaction(database.db, work)).rejects.toMatchObject({ code: '40001' })
  expect(attempts).toBe(4)
})

test('any other error rolls back and is thrown unchanged, after one attempt', async () => {
  let attempts = 0
  const work = async (tx: Tx) => {
    attempts += 1
    await sql`insert into pots values (3, 0)`.execute(tx)
    await raise(tx, '23505')
  }
  await expect(inTransaction(database.db, work)).rejects.toMatchObject({ code: '23505' })
  expect(attempts).toBe(1)
  expect((await sql`select from pots where id = 3`.execute(database.db)).rows).toEqual([])
})

test('a lost connection is not retried, because the outcome is unknown', async () => {
  let attempts = 0
  const work = async (tx: Tx) => {
    attempts += 1
    await sql`select pg_terminate_backend(pg_backend_pid())`.execute(tx)
  }
  await expect(inTransaction(database.db, work)).rejects.toThrow(/terminat/)
  expect(attempts).toBe(1)
})

test('a commit with a warning from PostgreSQL does not count as durable', async () => {
  await sql`
    create function warn() returns trigger language plpgsql as $$ begin
      raise warning 'canceling wait for synchronous replication due to user request'; return null;
    end $$;
    create table doubtful (id int);
    create constraint trigger warns after insert on doubtful deferrable initially deferred
      for each row execute function warn();
  `.execute(database.db)
  const insert = inTransaction(database.db, (tx) => sql`insert into doubtful values (1)`.execute(tx))
  await expect(insert).rejects.toBeInstanceOf(UncertainCommitError)
  // The connection itself is sound, and its next transaction is checked again.
  await inTransaction(database.db, (tx) => add(tx, 1))
})

test('a transaction costs two round trips in addition to its statements', async () => {
  const count = await countStatements(() => inTransaction(database.db, (tx) => add(tx, 1)))
  expect(count).toMatchObject({ statements: 1, roundTrips: 3 })
})

/** Resolves for all callers once `size` have arrived. */
function meetingOf(size: number): () => Promise<void> {
  let arrived = 0
  let open: () => void = () => undefined
  const all = new Promise<void>((resolve) => {
    open = resolve
  })
  return () => {
    arrived += 1
    if (arrived === size) open()
    return all
  }
}
