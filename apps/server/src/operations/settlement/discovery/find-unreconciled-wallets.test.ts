// Also tested elsewhere: that a wallet which no node can compare holds up no other (watch/follow-chain.test.ts).
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { freshAddress } from '../../../../testing/chains/fresh-address.ts'
import { scannedTables } from '../../../../testing/database/scanned-tables.ts'
import { type TestDatabase, testDatabase } from '../../../../testing/database/test-database.ts'
import { RECONCILE_BATCH } from '../../../kernel/index.ts'
import { FIRST_TURNS, findUnreconciledWallets, type ReconciliationTurns } from './find-unreconciled-wallets.ts'

const BLOCKCHAIN = 'polygon'
let database: TestDatabase

beforeEach(async () => {
  database = await testDatabase()
})
afterEach(() => database.close())

/** New wallets, this many in each of this many new organizations; returns the ids of the organizations. */
async function addWaiting(organizations: number, wallets: number): Promise<number[]> {
  const { db } = database
  const { rows } = await sql<{ id: number }>`
    insert into organizations (name, created_at) select 'waits', now() from generate_series(1, ${organizations}::int)
    returning id`.execute(db)
  const ids = rows.map(({ id }) => id)
  await sql`insert into wallet_profiles (organization_id, name, enabled_chains, operation_timeout_seconds, created_at)
    select id, 'all', ${[BLOCKCHAIN]}, 60, now() from unnest(${ids}::bigint[]) id`.execute(db)
  const addresses = Array.from({ length: organizations * wallets }, freshAddress)
  await sql`insert into wallets (organization_id, wallet_profile_id, blockchain, address, created_at)
    select profile.organization_id, profile.id, ${BLOCKCHAIN}, a.address, now()
    from unnest(${addresses}::text[]) with ordinality a(address, n)
      join unnest(${ids}::bigint[]) with ordinality o(id, n) on o.n = (a.n - 1) % ${organizations} + 1
      join wallet_profiles profile on profile.organization_id = o.id`.execute(db)
  return ids
}

/** This many pages, one after another, of wallets that nothing reconciles meanwhile. */
async function pages(count: number): Promise<{ organizations: number[][]; wallets: Set<number> }> {
  let turns: ReconciliationTurns = FIRST_TURNS
  const organizations: number[][] = []
  const ids = new Set<number>()
  for (let page = 0; page < count; page += 1) {
    const { wallets, next } = await findUnreconciledWallets(database.db, BLOCKCHAIN, turns)
    turns = next
    organizations.push(wallets.map(({ wallet }) => wallet.organizationId))
    for (const { wallet } of wallets) ids.add(wallet.walletId)
  }
  return { organizations, wallets: ids }
}

test('an organization with many new wallets delays nobody else, and gets the whole page when it is alone', async () => {
  const [many] = (await addWaiting(1, 3 * RECONCILE_BATCH)) as [number]
  expect((await pages(1)).organizations).toEqual([Array.from({ length: RECONCILE_BATCH }, () => many)])
  const [few] = (await addWaiting(1, 2)) as [number]
  const half = Array.from({ length: RECONCILE_BATCH / 2 }, () => many)
  expect((await pages(1)).organizations).toEqual([[...half, few, few]])
})

test('while none can be compared, every wallet of an organization has its turn, then the first again', async () => {
  await addWaiting(1, 2.5 * RECONCILE_BATCH)
  expect((await pages(3)).wallets.size).toBe(2.5 * RECONCILE_BATCH)
  expect((await pages(4)).organizations.map(({ length }) => length / RECONCILE_BATCH)).toEqual([1, 1, 0.5, 1])
})

test('more organizations than fit a page have their turns in the next ones', async () => {
  const ids = await addWaiting(1.5 * RECONCILE_BATCH, 3)
  const { organizations, wallets } = await pages(6)
  expect([...new Set(organizations.slice(0, 2).flat())]).toEqual(ids)
  expect(wallets.size).toBe(ids.length * 3)
})

test('exactly as many organizations as fit a page: each of their wallets has its turn', async () => {
  const ids = await addWaiting(RECONCILE_BATCH, 3)
  expect((await pages(6)).wallets.size).toBe(ids.length * 3)
})

test('a wallet in quarantine waits, and leaves the page to others', async () => {
  const { db } = database
  const [organizationId] = (await addWaiting(1, 1)) as [number]
  await sql`insert into quarantined_wallets
      (organization_id, wallet_id, blockchain, error, attempts, next_attempt_at, since)
    select organization_id, id, blockchain, 'of a test', 1, now(), now() from wallets
    where organization_id = ${organizationId}`.execute(db)
  expect((await pages(1)).organizations).toEqual([[]])
  const [other] = (await addWaiting(1, 1)) as [number]
  expect((await pages(2)).organizations).toEqual([[other], [other]])
})

test('a page is read by indexes, however many wallets there are', async () => {
  const run = (db: TestDatabase['db']) => findUnreconciledWallets(db, BLOCKCHAIN, FIRST_TURNS)
  expect(await scannedTables(database.pool, run, ['wallets', 'quarantined_wallets'])).toEqual([])
})
