import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { scannedTables } from '../../../../testing/database/scanned-tables.ts'
import { type TestDatabase, testDatabase } from '../../../../testing/index.ts'
import { rollbackInclusions } from '../../lifecycle/transitions/advance-transactions-in-bulk.ts'
import { forgetLatestCounts, markUnsent } from './rollback-reorged-blocks.ts'

const MANY = 20_000
const IN_FLIGHT = 5
let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
  await database.db.connection().execute(async (connection) => {
    await sql`set session_replication_role = replica`.execute(connection)
    await sql`
      insert into operations (organization_id, wallet_profile_id, wallet_id, strategy_id, type, executor, state, amount,
        created_at, updated_at) select 1, 1, i, 1, 'SUPPLY', 'agent', 'COMPLETED', 1, now(), now() from generate_series(1, ${sql.lit(MANY)}) i;
      insert into transactions (organization_id, operation_id, position, kind, state, blockchain, sender, nonce, description,
        call, can_still_land, block_number, finalized_at)
        select 1, id, 0, 'supply', case when id <= ${sql.lit(IN_FLIGHT)} then 'pending' else 'confirmed' end, 'polygon',
          '0x' || id, 0, '', '{}', id <= ${sql.lit(IN_FLIGHT)}, 1_000_000 + id,
          case when id > ${sql.lit(IN_FLIGHT)} then now() end from operations;
      insert into transaction_hashes (organization_id, blockchain, tx_hash, transaction_id, source, raw, created_at)
        select 1, 'polygon', '0xh' || id, id, 'signed', '\\x00', now() from transactions;
      insert into chain_nonces (blockchain, address, latest_count, final_count)
        select 'polygon', '0x' || i, case when i <= ${sql.lit(IN_FLIGHT)} then 2 else 1 end, 1
        from generate_series(1, ${sql.lit(MANY)}) i
    `.execute(connection)
    await sql`reset session_replication_role`.execute(connection)
    await sql`analyze`.execute(connection)
  })
})
afterAll(() => database.close())

const TABLES = ['operations', 'transactions', 'transaction_hashes']
const AT = new Date('2026-01-01')

test('a reorganization reads no table of 20,000 final transactions sequentially', async () => {
  expect(await scannedTables(database.pool, (db) => rollbackInclusions(db, 'polygon', 999_999, AT), TABLES)).toEqual([])
  expect(await scannedTables(database.pool, (db) => markUnsent(db, 'polygon'), TABLES)).toEqual([])
})

test('a reorganization writes no count of an address that has nothing in the blocks that left', async () => {
  await forgetLatestCounts(database.db, 'polygon')
  const { rows } = await sql<{ written: number }>`
    select count(*)::int as written from chain_nonces where xmin::text::bigint > (
      select max(xmin::text::bigint) from chain_nonces where latest_count > 0)
  `.execute(database.db)
  expect(rows).toEqual([{ written: IN_FLIGHT }])
})
