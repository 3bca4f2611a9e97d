// Also tested elsewhere: what is found, in operations/settlement/discovery/classify-transactions.test.ts and the tests of settlement.
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { scannedTables } from '../../../../testing/database/scanned-tables.ts'
import { type TestDatabase, testDatabase } from '../../../../testing/index.ts'
import type { Block } from '../../../chains/index.ts'
import { findCandidates } from './find-candidates.ts'

const MANY = 20_000
let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
  await database.db.connection().execute(async (connection) => {
    await sql`set session_replication_role = replica`.execute(connection)
    await sql`
      insert into operations (organization_id, wallet_profile_id, wallet_id, strategy_id, type, executor, state, amount,
        created_at, updated_at) select 1, 1, i, 1, 'SUPPLY', 'agent', 'EXECUTING', 1, now(), now() from generate_series(1, ${sql.lit(MANY)}) i;
      insert into transactions (organization_id, operation_id, position, kind, state, blockchain, sender, description, call,
        can_still_land) select 1, id, 0, 'supply', 'pending', 'polygon', '0x' || id, '', '{}', true from operations;
      insert into transaction_hashes (organization_id, blockchain, tx_hash, transaction_id, source, created_at)
        select 1, 'polygon', '0xh' || id, id, 'signed', now() from transactions
    `.execute(connection)
    await sql`reset session_replication_role`.execute(connection)
    await sql`analyze`.execute(connection)
  })
})
afterAll(() => database.close())

test('a block reads no table of 20,000 transactions sequentially, however many are in flight', async () => {
  const transactions = [{ sender: '0x7', hash: '0xh8' }]
  const block = { number: 1, hash: '0x1', transactions } as unknown as Block
  const scans = await scannedTables(database.pool, (db) => findCandidates(db, 'polygon', block), [
    'operations',
    'transactions',
    'transaction_hashes',
  ])
  expect(scans).toEqual([])
})
