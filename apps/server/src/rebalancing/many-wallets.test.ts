import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { scannedTables } from '../../testing/database/scanned-tables.ts'
import { type TestDatabase, testDatabase } from '../../testing/index.ts'
import type { Database, Tx } from '../database/index.ts'
import { claimEvaluations, releaseClaims, scheduleEvaluation } from '../wallets/index.ts'
import { readHoldings } from './snapshot/planner-input.ts'
import { readWalletStates } from './state/read-wallet-states.ts'

const MANY = 30_000
let database: TestDatabase

/** Operational wallets, each with a balance, a position and several past operations. */
beforeAll(async () => {
  database = await testDatabase()
  await database.db.connection().execute(async (connection) => {
    await sql`
      insert into organizations (name, created_at) values ('One', now());
      insert into wallet_profiles (organization_id, name, enabled_chains, operation_timeout_seconds, created_at)
        values (1, 'first', '{polygon}', 120, now());
      insert into venues (key, name, protocol, blockchain, status) values ('v', 'V', 'erc4626', 'polygon', 'active');
      insert into strategies (key, venue_id, name, token, token_address, token_decimals, status, supports_gas_sponsorship,
        params, protocol, blockchain) select 's', id, 'S', 'USDC', '0x1', 6, 'active', false, '{}', 'erc4626', 'polygon'
        from venues
    `.execute(connection)
    await sql`set session_replication_role = replica`.execute(connection)
    await sql`
      insert into wallets (organization_id, wallet_profile_id, blockchain, address, created_at)
        select 1, 1, 'polygon', '0x' || i, now() from generate_series(1, ${sql.lit(MANY)}) i;
      insert into ledger_balances (organization_id, wallet_id, token_address, available, external)
        select 1, id, '0x1', 5, -5 from wallets;
      insert into ledger_entries (organization_id, kind, source, created_at)
        select 1, 'external_balance', 'balance:' || id, now() from wallets;
      insert into ledger_postings (organization_id, entry_id, wallet_id, token_address, account, amount)
        select e.organization_id, e.id, w.id, '0x1', a.account, a.amount
        from ledger_entries e join wallets w on e.source = 'balance:' || w.id,
          (values ('available', 5), ('external', -5)) a(account, amount);
      insert into operational_wallets (organization_id, wallet_id, token_address, enable_yield, buffer_amount, due_at,
        created_at, updated_at) select 1, id, '0x1', true, 0, case when id % 100 = 0 then now() end, now(), now() from wallets;
      insert into operations (organization_id, wallet_id, strategy_id, type, executor, state, amount, op_wallet_id, origin,
        created_at, updated_at, completed_at)
        select 1, id, 1, t, 'agent', 'COMPLETED', 1, id, 'rebalancer', now(), now(), now()
        from wallets, unnest('{SUPPLY,UNWIND}'::text[]) t;
      insert into allocations (organization_id, wallet_id, strategy_id, status, shares, principal, posted_value,
        posted_price, posted_at, opened_at, updated_at) select 1, id, 1, 'ACTIVE', 0, 0, 0, 0, now(), now(), now() from wallets;
    `.execute(connection)
    await sql`reset session_replication_role`.execute(connection)
    await sql`analyze`.execute(connection)
  })
}, 120_000)
afterAll(() => database.close())

/** Growing tables that these statements must not scan sequentially. */
const scansOf = (run: (db: Database) => Promise<unknown>) =>
  scannedTables(database.pool, run, [
    'operational_wallets',
    'wallets',
    'operations',
    'allocations',
    'ledger_balances',
    'ledger_postings',
  ])

const now = new Date()
const page = Array.from({ length: 100 }, (_, index) => ({ organizationId: 1, opWalletId: (index + 1) * 7 }))
const changed = page.slice(0, 20).map(({ opWalletId: walletId }) => ({ organizationId: 1, walletId }))
const looked = page.map((wallet) => ({
  claim: { ...wallet, until: now },
  nextDueAt: null,
  failures: 0,
  note: { outcome: 'in order' as const, text: '' },
}))

test.each<[string, (db: Database) => Promise<unknown>]>([
  ['scheduling some wallets', (db) => scheduleEvaluation(db as Tx, changed, now)],
  [
    'scheduling one token of a wallet',
    (db) => scheduleEvaluation(db as Tx, [{ ...changed[0]!, tokenAddress: '0x1' }], now),
  ],
  ['claiming due wallets', (db) => claimEvaluations(db, now, 100)],
  ['reading the state of a page', (db) => readWalletStates(db, page, { now, withdrawHoldMs: 0 })],
  ['reading the positions of a page', (db) => readHoldings(db, page)],
  ['releasing a page', (db) => releaseClaims(db, looked, now)],
])(`%s scans no table of 30,000 wallets sequentially`, async (_, run) => {
  expect(await scansOf(run)).toEqual([])
})
