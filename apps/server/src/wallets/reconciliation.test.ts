import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { lostLease } from '../../testing/database/lost-lease.ts'
import { type TestDatabase, testDatabase } from '../../testing/index.ts'
import {
  recordReconciliations,
  requestAddressReconciliation,
  requestChainReconciliation,
  requestReconciliation,
  requestReconciliationSql,
} from './index.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
  await sql`
    insert into organizations (name, created_at) values ('One', now()), ('Two', now());
    insert into wallet_profiles (organization_id, name, enabled_chains, operation_timeout_seconds, created_at)
      values (1, 'first', '{polygon}', 120, now()), (2, 'first', '{polygon}', 120, now());
    insert into wallets (organization_id, wallet_profile_id, blockchain, address, created_at)
      values (1, 1, 'polygon', '0xa', now()), (1, 1, 'base', '0xa', now()), (2, 2, 'polygon', '0xa', now());
  `.execute(database.db)
})
afterAll(() => database?.close())
beforeEach(async () => {
  await sql`update wallets set reconciled_block = 9`.execute(database.db)
})

const blocks = async () => {
  const rows = await database.db.selectFrom('wallets').select('reconciled_block').orderBy('id').execute()
  return rows.map(({ reconciled_block }) => reconciled_block)
}

test('a reconciliation is requested for one wallet of one organization', async () => {
  await requestReconciliation(database.db, { organizationId: 1, walletId: 1 })
  await requestReconciliation(database.db, { organizationId: 1, walletId: 3 })
  expect(await blocks()).toEqual([null, 9, 9])
})

test('a process that lost its lease requests no reconciliation of addresses', async () => {
  await requestAddressReconciliation(lostLease(database.db), 'polygon', ['0xa'])
  expect(await blocks()).toEqual([9, 9, 9])
})

test('a reconciliation is requested for every wallet of a chain', async () => {
  await requestChainReconciliation(database.db, 'polygon')
  expect(await blocks()).toEqual([null, 9, null])
})

test('a reconciliation is requested for the wallets of an address on one chain', async () => {
  await requestAddressReconciliation(database.db, 'polygon', ['0xa', '0xb'])
  expect(await blocks()).toEqual([null, 9, null])
})

test('a larger statement requests a reconciliation for its wallets, within one organization', async () => {
  const ended = sql`with ended(organization_id, wallet_id) as (values (1, 2), (1, 3)), asked as (
    ${requestReconciliationSql(sql`select organization_id, wallet_id from ended`)}
  ) select 1`
  await ended.execute(database.db)
  expect(await blocks()).toEqual([9, null, 9])
})

test('the block of a reconciliation is recorded, unless another one is still requested', async () => {
  await recordReconciliations(database.db, [
    { wallet: { organizationId: 1, walletId: 1 }, blockNumber: 12 },
    { wallet: { organizationId: 1, walletId: 3 }, blockNumber: 12 },
    { wallet: { organizationId: 2, walletId: 3 }, blockNumber: null },
  ])
  expect(await blocks()).toEqual([12, 9, null])
})
