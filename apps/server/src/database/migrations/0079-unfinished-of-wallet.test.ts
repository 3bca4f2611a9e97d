import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../testing/index.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database?.close())

async function indexOfPlan(): Promise<string | undefined> {
  const { rows } = await database.db.transaction().execute(async (tx) => {
    await sql`set local enable_seqscan = off; set local enable_bitmapscan = off`.execute(tx)
    return sql<{ 'QUERY PLAN': string }>`
      explain select id from operations where organization_id = 1 and wallet_id = 1
        and state in ('PLANNING', 'PENDING_APPROVAL', 'EXECUTING', 'CONFIRMING')
    `.execute(tx)
  })
  return rows.map((row) => /using (\w+) on operations/.exec(row['QUERY PLAN'])?.[1]).find((name) => name !== undefined)
}

test('a plan reads the operations of its wallet, before any statistics and with those of an empty table', async () => {
  expect(await indexOfPlan()).toBe('operations_unfinished_of_wallet')
  await sql`analyze operations`.execute(database.db)
  expect(await indexOfPlan()).toBe('operations_unfinished_of_wallet')
})
