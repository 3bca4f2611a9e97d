import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../testing/index.ts'
import { extendTransact, type Transact, transactOn } from './transact.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
  await sql`create table written (id bigint generated always as identity, text text)`.execute(database.db)
})
beforeEach(() => sql`truncate written`.execute(database.db))
afterAll(() => database?.close())

const write = (text: string) => sql`insert into written (text) values (${text})`
const written = async () =>
  (await sql<{ text: string }>`select text from written order by id`.execute(database.db)).rows.map(({ text }) => text)

test('an extension runs after the work and commits with it; each side gets its own result', async () => {
  const lengths: number[] = []
  const outer: Transact<number> = async (work) => {
    const length = await transactOn(database.db)(work)
    lengths.push(length)
    return length
  }
  const transact = extendTransact(outer, async (tx, text: string) => {
    await write(`after ${text}`).execute(tx)
    return text.length
  })
  const result = await transact(async (tx) => {
    await write('work').execute(tx)
    return 'work'
  })
  expect([result, lengths, await written()]).toEqual(['work', [4], ['work', 'after work']])
})

test('an error of the extension rolls the work back', async () => {
  const plain: Transact<undefined> = transactOn(database.db)
  const transact = extendTransact(plain, () => Promise.reject(new Error('refused')))
  await expect(
    transact(async (tx) => {
      await write('work').execute(tx)
      return undefined
    }),
  ).rejects.toThrow('refused')
  expect(await written()).toEqual([])
})

test('after a deadlock the work and its extension run again, and the committed run’s result is returned', async () => {
  let runs = 0
  const plain: Transact<number> = transactOn(database.db)
  const transact = extendTransact(plain, async (tx, run: number) => {
    await write(`after run ${run}`).execute(tx)
    if (run === 1) throw Object.assign(new Error('deadlock detected'), { code: '40P01' })
    return run
  })
  const result = await transact(async (tx) => {
    runs += 1
    await write(`run ${runs}`).execute(tx)
    return runs
  })
  expect([result, await written()]).toEqual([2, ['run 2', 'after run 2']])
})
