// `evaluate-due-wallets.test.ts` tests what the states lead to.
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mostLoops } from '../../../testing/database/scanned-tables.ts'
import { type TestDatabase, testDatabase } from '../../../testing/database/test-database.ts'
import { readWalletStates } from './read-wallet-states.ts'

const WALLETS = 1_000
const TIMES = { now: new Date(0), withdrawHoldMs: 0 }
let database: TestDatabase

beforeAll(async () => {
  database = await testDatabase()
  await sql`
    insert into organizations (name, created_at) values ('One', now());
    insert into wallet_profiles (organization_id, name, enabled_chains, operation_timeout_seconds, created_at)
      values (1, 'all', '{polygon}', 120, now());
    insert into wallets (organization_id, wallet_profile_id, blockchain, address, created_at)
      select 1, 1, 'polygon', '0x' || n, now() from generate_series(1, ${sql.lit(WALLETS)}) n;
    insert into operational_wallets (organization_id, wallet_id, token_address, enable_yield, buffer_amount, created_at,
      updated_at) select 1, id, '0x1', true, 0, now(), now() from wallets;
    analyze wallets, operational_wallets;
  `.execute(database.db)
})
afterAll(() => database.close())

test('the states of a page cost as much as its wallets, however many others there are', async () => {
  const page = [WALLETS - 2, WALLETS - 1, WALLETS].map((opWalletId) => ({ organizationId: 1, opWalletId }))
  expect(await readWalletStates(database.db, page, TIMES)).toHaveLength(page.length)
  expect(await mostLoops(database.pool, (db) => readWalletStates(db, page, TIMES))).toBe(page.length)
})
