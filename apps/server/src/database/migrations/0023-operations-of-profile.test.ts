import { readdirSync } from 'node:fs'
import { type Kysely, sql } from 'kysely'
import { expect, test } from 'vitest'
import { emptyDatabase, until } from '../../../testing/index.ts'
import { silentLog } from '../../kernel/index.ts'
import { openDatabase } from '../connections/open-database.ts'

const NAMES = readdirSync(new URL('.', import.meta.url))
  .filter((name) => !name.endsWith('.test.ts'))
  .sort()
const EARLIER = NAMES.filter((name) => name < '0023')
const NEW = NAMES.filter((name) => name.startsWith('0023'))

/** Runs these migrations as a service does that finds them missing: in one transaction. */
function run(db: Kysely<never>, names: readonly string[]): Promise<void> {
  return db.transaction().execute(async (tx) => {
    for (const name of names) {
      const { up } = (await import(new URL(name, import.meta.url).href)) as { up(db: Kysely<never>): Promise<void> }
      await up(tx)
    }
  })
}

test('operations get their profile while an older process plans concurrently, and neither fails', async () => {
  const { url, drop } = await emptyDatabase()
  const { db: typed, close } = openDatabase({ url, log: silentLog, max: 3 })
  const db = typed as unknown as Kysely<never>
  await run(db, EARLIER)
  await sql`
    insert into organizations (name, created_at) values ('Ours', now());
    insert into wallet_profiles (organization_id, name, enabled_chains, operation_timeout_seconds, created_at)
      select 1, 'profile ' || n, '{base}', 60, now() from generate_series(1, 2) n;
    insert into wallets (organization_id, wallet_profile_id, blockchain, address, created_at)
      values (1, 1, 'base', '0x1', now()), (1, 2, 'base', '0x2', now());
    insert into venues (key, name, protocol, blockchain, status) values ('v', 'V', 'aave-v3', 'base', 'active');
    insert into strategies (venue_id, key, name, protocol, blockchain, token, token_address, token_decimals, status, params)
      values (1, 's', 'S', 'aave-v3', 'base', 'USDC', '0x3', 6, 'active', '{}');
  `.execute(db)
  const plan = (on: Kysely<never>, walletId: number) =>
    sql`insert into operations (organization_id, wallet_id, strategy_id, type, executor, state, created_at, updated_at)
      values (1, ${walletId}, 1, 'SUPPLY', 'client', 'PLANNING', now(), now())`.execute(on)
  await plan(db, 1)

  const waiting = async () => {
    const { rows } = await sql`select from pg_locks where not granted`.execute(db)
    return rows.length > 0 || undefined
  }
  let migrated: Promise<void> | undefined
  await db.transaction().execute(async (older) => {
    // Planning locks its wallet before anything else.
    await sql`select from wallets where id = 2 for update`.execute(older)
    migrated = run(db, NEW)
    await until(waiting)
    await plan(older, 2)
  })
  await migrated

  await plan(db, 2)
  const { rows } = await sql<{ wallet_id: number; wallet_profile_id: number }>`
    select wallet_id, wallet_profile_id from operations order by id`.execute(db)
  expect(rows.map((row) => [row.wallet_id, row.wallet_profile_id])).toEqual([
    [1, 1],
    [2, 2],
    [2, 2],
  ])
  const { rows: tallied } = await sql<{ total: number }>`
    select sum(amount)::bigint as total from tallies where counted = 'operations' group by wallet_profile_id
      order by wallet_profile_id`.execute(db)
  expect(tallied.map(({ total }) => total)).toEqual([1, 2])
  await close()
  await drop()
})
