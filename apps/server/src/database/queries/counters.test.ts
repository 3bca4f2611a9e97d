import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../testing/index.ts'
import { compactCounters, selectCount } from '../index.ts'

let database: TestDatabase
const organizationId = 1
const counted = 'operations' as const
const all = { entity: counted, organizationId, walletProfileId: null }

beforeAll(async () => {
  database = await testDatabase()
  await sql`
    insert into organizations (name, created_at) values ('One', now());
    insert into wallet_profiles (organization_id, name, enabled_chains, operation_timeout_seconds, created_at)
      values (1, 'first', '{polygon}', 120, now()), (1, 'second', '{polygon}', 120, now());
    insert into venues (key, name, protocol, blockchain, status) values ('v', 'V', 'erc4626', 'polygon', 'active');
    insert into strategies (key, venue_id, name, token, token_address, token_decimals, status, supports_gas_sponsorship,
      params, protocol, blockchain) select 's', id, 'S', 'USDC', '0x1', 6, 'active', false, '{}', 'erc4626', 'polygon'
      from venues;
    insert into wallets (organization_id, wallet_profile_id, blockchain, address, created_at)
      values (1, 1, 'polygon', '0xa', now()), (1, 2, 'polygon', '0xb', now()), (1, 2, 'base', '0xb', now());
  `.execute(database.db)
})
afterAll(() => database.close())

const totalOf = async (query: Parameters<typeof selectCount>[1]) =>
  (await selectCount(database.db, query).executeTakeFirstOrThrow()).total
const rows = async () => (await database.db.selectFrom('counters').selectAll().execute()).length

function insert(walletId: number, type: string, state: string, count: number) {
  return sql`
    insert into operations (organization_id, wallet_id, strategy_id, type, executor, state, created_at, updated_at)
    select 1, ${walletId}, (select id from strategies), ${type}, 'client', ${state}, now(), now()
    from generate_series(1, ${count}::int)
  `.execute(database.db)
}

test('counters return the number of each kind, in any scope', async () => {
  await insert(1, 'SUPPLY', 'EXECUTING', 3)
  await insert(2, 'UNWIND', 'EXECUTING', 2)
  expect(await totalOf(all)).toBe(5)
  expect(await totalOf({ ...all, walletProfileId: 2 })).toBe(2)
  expect(await totalOf({ ...all, kinds: ['SUPPLY'] })).toBe(3)
  expect(await totalOf({ ...all, states: ['COMPLETED', 'FAILED'] })).toBe(0)
  expect(await totalOf({ ...all, organizationId: 2 })).toBe(0)
  expect(await totalOf({ ...all, entity: 'wallets' })).toBe(3)
  expect(await totalOf({ ...all, entity: 'wallets', kinds: ['base'], walletProfileId: 1 })).toBe(0)
})

test('counters follow each change of state, and ignore a transaction that is rolled back', async () => {
  await sql`update operations set state = 'COMPLETED' where type = 'SUPPLY'`.execute(database.db)
  await sql`update operations set updated_at = now(), state = state`.execute(database.db)
  const gone = database.db.transaction().execute(async (tx) => {
    await sql`update operations set state = 'FAILED'`.execute(tx)
    throw new Error('rolled back')
  })
  await expect(gone).rejects.toThrow('rolled back')
  expect(await totalOf({ ...all, states: ['COMPLETED'] })).toBe(3)
  expect(await totalOf({ ...all, states: ['EXECUTING'] })).toBe(2)
  expect(await totalOf({ ...all, states: ['FAILED'] })).toBe(0)
})

test('compacting changes no total, even while others compact and write', async () => {
  const before = await rows()
  await Promise.all([
    compactCounters(database.db),
    insert(1, 'SUPPLY', 'EXECUTING', 20),
    compactCounters(database.db),
    insert(2, 'SUPPLY', 'EXECUTING', 20),
    compactCounters(database.db),
  ])
  expect(await totalOf(all)).toBe(45)
  await compactCounters(database.db)
  expect(await totalOf(all)).toBe(45)
  expect(await totalOf({ ...all, walletProfileId: 2, kinds: ['SUPPLY'] })).toBe(20)
  expect(await rows()).toBeLessThan(before)
})

test('deleted rows leave the counters, and a counted row cannot change its organization or profile', async () => {
  const before = await totalOf({ ...all, kinds: ['UNWIND'] })
  await sql`
    delete from operations where (organization_id, id) in (
      select organization_id, id from operations where type = 'UNWIND' order by id limit 1)
  `.execute(database.db)
  expect(await totalOf({ ...all, kinds: ['UNWIND'] })).toBe(before - 1)
  await sql`delete from wallets where blockchain = 'base'`.execute(database.db)
  expect(await totalOf({ ...all, entity: 'wallets' })).toBe(2)
  await expect(sql`update wallets set wallet_profile_id = 1`.execute(database.db)).rejects.toThrow(
    'cannot change its organization',
  )
  await expect(sql`truncate operations cascade`.execute(database.db)).rejects.toThrow('cannot change its organization')
})
