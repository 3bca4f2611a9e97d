import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../testing/index.ts'
import { type BatchedCall, type CallBatcher, runBatched } from './batched-calls.ts'
import { inTransaction } from './in-transaction.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
  await sql`create table notes (note int primary key)`.execute(database.db)
})
afterAll(() => database?.close())

let calls: string[] = []
beforeEach(async () => {
  calls = []
  await sql`delete from notes`.execute(database.db)
})

/** Writes each number, and returns its double. */
const WRITE: BatchedCall<number, number> = {
  async run(tx, keys) {
    calls.push(`write ${keys.join(' ')}`)
    await sql`insert into notes select unnest(${keys}::int[])`.execute(tx)
    return keys.map((key) => key * 2)
  },
}
const READ: BatchedCall<number, boolean> = {
  async run(tx, keys) {
    calls.push(`read ${keys.join(' ')}`)
    const { rows } = await sql<{ note: number }>`select note from notes where note = any(${keys}::int[])`.execute(tx)
    return keys.map((key) => rows.some(({ note }) => note === key))
  },
}

const run = (works: readonly ((batcher: CallBatcher) => Promise<void>)[]) =>
  inTransaction(database.db, (tx) => runBatched(tx, works))
const notes = async () =>
  (await sql<{ note: number }>`select note from notes order by note`.execute(database.db)).rows.map(({ note }) => note)

test('equal calls of several works run as one statement, each with its own result', async () => {
  const results: unknown[] = []
  await run(
    [1, 2, 3].map((n) => async (batcher) => {
      results.push(await batcher.call(WRITE, n), await batcher.call(READ, n))
    }),
  )
  expect(calls).toEqual(['write 1 2 3', 'read 1 2 3'])
  expect(results.toSorted()).toEqual([2, 4, 6, true, true, true])
  expect(await notes()).toEqual([1, 2, 3])
})

test('works of different lengths, and one that uses the transaction itself, all finish', async () => {
  await inTransaction(database.db, (tx) =>
    runBatched(tx, [
      async () => {},
      async (batcher) => {
        await batcher.call(WRITE, 1)
      },
      async (batcher) => {
        await sql`insert into notes values (9)`.execute(tx)
        expect(await batcher.call(READ, 9)).toBe(true)
        await batcher.call(WRITE, 2)
        await batcher.call(WRITE, 3)
      },
    ]),
  )
  await run([])
  expect(await notes()).toEqual([1, 2, 3, 9])
})

test('an error of a statement, or of one work, ends all of them and commits nothing', async () => {
  const unfinished: number[] = []
  const works = [1, 2, 3].map((n) => async (batcher: CallBatcher) => {
    await batcher.call(WRITE, n)
    if (n === 2) throw new Error('spoiled')
    await batcher.call(READ, n)
    await batcher.call(WRITE, n + 10)
    unfinished.push(n)
  })
  await expect(run(works)).rejects.toThrow('spoiled')
  await expect(run([1, 1].map((n) => async (batcher) => void (await batcher.call(WRITE, n))))).rejects.toThrow(
    'duplicate key',
  )
  expect([unfinished, await notes()]).toEqual([[], []])
})
