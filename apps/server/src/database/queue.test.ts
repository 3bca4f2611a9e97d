import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { countStatements, startProgram, type TestDatabase, testDatabase, until } from '../../testing/index.ts'
import { silentLog } from '../kernel/index.ts'
import { inTransaction } from './in-transaction.ts'
import { createQueue, type Queue } from './queue.ts'

let database: TestDatabase
let queue: Queue
beforeAll(async () => {
  database = await testDatabase()
  queue = createQueue({ databaseUrl: database.url, log: silentLog })
  await queue.start()
})
afterAll(async () => {
  await queue.stop()
  await database.close()
})

test('a job of a committed transaction runs; one of a rolled-back transaction never does', async () => {
  const ran: unknown[] = []
  await queue.work('effect', async ({ number }) => {
    ran.push(number)
  })
  const failing = inTransaction(database.db, async (tx) => {
    await queue.enqueue(tx, 'effect', { number: 1 })
    throw new Error('the change failed')
  })
  await expect(failing).rejects.toThrow('the change failed')
  for (const number of [2, 3]) await inTransaction(database.db, (tx) => queue.enqueue(tx, 'effect', { number }))
  await until(() => ran.length >= 2)
  expect(new Set(ran)).toEqual(new Set([2, 3]))
  const { rows } = await sql`select from jobs.job where name = 'effect' and data->>'number' = '1'`.execute(database.db)
  expect(rows).toEqual([])
})

test('enqueueing a job is one statement of the caller', async () => {
  const enqueue = () => inTransaction(database.db, (tx) => queue.enqueue(tx, 'counted', {}))
  await enqueue()
  expect(await countStatements(enqueue)).toMatchObject({ statements: 1 })
})

test('a scheduled job waits for its time', async () => {
  const ran: unknown[] = []
  await queue.work('timed', async ({ name }) => {
    ran.push(name)
  })
  const inOneSecond = await inTransaction(database.db, async (tx) => {
    const { rows } = await sql<{ at: Date }>`select now() + interval '1 second' as at`.execute(tx)
    await queue.enqueue(tx, 'timed', { name: 'later' }, rows[0]!.at)
    await queue.enqueue(tx, 'timed', { name: 'now' })
    return rows[0]!.at
  })
  await until(() => ran.length === 2)
  expect(ran).toEqual(['now', 'later'])
  const { rows } = await sql<{ at: Date }>`select started_on as at from jobs.job where data->>'name' = 'later'`.execute(
    database.db,
  )
  expect(rows[0]!.at.getTime()).toBeGreaterThanOrEqual(inOneSecond.getTime())
})

test('a job that throws is retried, and the others of its batch are not', async () => {
  const runs = new Map<unknown, number>()
  await queue.work('flaky', async ({ name }) => {
    const run = (runs.get(name) ?? 0) + 1
    runs.set(name, run)
    if (name === 'bad' && run === 1) throw new Error('the first try fails')
  })
  await inTransaction(database.db, async (tx) => {
    for (const name of ['good', 'bad', 'better']) await queue.enqueue(tx, 'flaky', { name })
  })
  const done = () => sql`select from jobs.job where name = 'flaky' and state = 'completed'`.execute(database.db)
  await until(async () => (await done()).rows.length === 3)
  expect(Object.fromEntries(runs)).toEqual({ good: 1, bad: 2, better: 1 })
})

test('the job and the lock of a killed process pass to another process', async () => {
  const worker = startProgram('worker', [database.url])
  await worker.line('turn')
  await inTransaction(database.db, (tx) => queue.enqueue(tx, 'wake', { number: 5 }))
  await worker.line('job')

  const output: string[] = []
  await queue.work('wake', async ({ number }) => {
    output.push(`job ${number}`)
  })
  queue.every('turn', 1, async () => {
    if (!output.includes('turn')) output.push('turn')
  })
  // The other process has both, and runs.
  await until(
    async () => (await sql`select from jobs.job where state = 'active'`.execute(database.db)).rows.length === 1,
  )
  expect(output).toEqual([])
  await worker.kill()
  await until(() => output.length === 2)
  expect(output.toSorted()).toEqual(['job 5', 'turn'])
})
