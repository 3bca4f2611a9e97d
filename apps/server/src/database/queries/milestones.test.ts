import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../testing/index.ts'
import { inTransaction } from './in-transaction.ts'
import { leasedDatabase } from './leased-database.ts'
import { listenToMilestones, publishMilestone, recordMilestone } from './milestones.ts'

let database: TestDatabase
const heard: string[] = []
const step = (name: string) => ({ name, facts: {} })
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.close())
beforeEach(() => {
  heard.length = 0
  listenToMilestones(database.db, ({ name }) => heard.push(name))
})

test('a step is published once its transaction has committed, and not before', async () => {
  await inTransaction(database.db, async (tx) => {
    recordMilestone(tx, step('first'))
    await sql`select 1`.execute(tx)
    expect(heard).toEqual([])
    recordMilestone(tx, step('second'))
  })
  expect(heard).toEqual(['first', 'second'])
  publishMilestone(database.db, step('third'))
  expect(heard).toEqual(['first', 'second', 'third'])
})

test('a transaction that rolls back has no steps', async () => {
  const failing = inTransaction(database.db, async (tx) => {
    recordMilestone(tx, step('never'))
    throw new Error('after the step')
  })
  await expect(failing).rejects.toThrow('after the step')
  expect(heard).toEqual([])
})

test('a transaction that runs again after a deadlock has the steps of its last run only', async () => {
  let runs = 0
  await inTransaction(database.db, async (tx) => {
    runs += 1
    recordMilestone(tx, step(`run ${runs}`))
    if (runs === 1) throw Object.assign(new Error('deadlock detected'), { code: '40P01' })
  })
  expect(heard).toEqual(['run 2'])
})

test('steps on the handle of a leased job are heard too', async () => {
  publishMilestone(leasedDatabase(database.db, { job: 'a job', workerId: 1, token: 1 }), step('leased'))
  expect(heard).toEqual(['leased'])
})
