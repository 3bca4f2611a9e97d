import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { type Hex, keccak256, toHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { type Database, openDatabase, startEmbeddedPostgres } from '../src/database/index.ts'
import { silentLog } from '../src/kernel/index.ts'

/** The data folder of an earlier version; its README describes how it was made. */
export const UPGRADE_FIXTURE = new URL('fixtures/upgrade-0024/', import.meta.url)
const NEWEST_MIGRATION = '0024'

/** The credentials in the fixture's `data-folder.json`, and the unfinished work in the folder. */
export interface UpgradeFixture {
  /** When the earlier version last changed an operation. */
  readonly stoppedAt: string
  /** Key of the profile whose plans wait an hour. */
  readonly profileApiKey: string
  readonly refreshToken: string
  readonly walletId: number
  /** CONFIRMED on `walletId`. */
  readonly supplied: number
  /** AWAITING_SIGNATURE on `walletId`, planned with `idempotencyKey`. */
  readonly awaiting: number
  readonly idempotencyKey: string
  readonly pendingApproval: number
  readonly leased: { readonly transactionId: number; readonly leaseToken: string }
  readonly webhookId: number
  readonly quarantinedWalletId: number
  readonly secrets: Readonly<Record<string, string>>
  readonly credentials: Readonly<Record<'email' | 'password' | 'organizationApiKey' | 'adminApiKey', string>>
}

export interface FixtureWallet {
  readonly key: Hex
  readonly account: ReturnType<typeof privateKeyToAccount>
}

/** The key of one of the fixture's wallets, by its name. */
export function keyOf(name: string): FixtureWallet {
  const key = keccak256(toHex(`upgrade fixture: ${name}`))
  return { key, account: privateKeyToAccount(key) }
}

export const readUpgradeFixture = async (): Promise<UpgradeFixture> =>
  JSON.parse(await readFile(new URL('data-folder.json', UPGRADE_FIXTURE), 'utf8')) as UpgradeFixture

const unpacked = async (name: string) => brotliDecompressSync(await readFile(new URL(`${name}.br`, UPGRADE_FIXTURE)))

/** Fills an empty database with the tables and rows of the earlier version. */
export async function restoreDatabase(db: Database): Promise<void> {
  const folder = new URL('../src/database/migrations/', import.meta.url)
  const migrations: Record<string, Migration> = {}
  for (const file of (await readdir(folder)).sort()) {
    if (file.endsWith('.test.ts') || file.slice(0, 4) > NEWEST_MIGRATION) continue
    migrations[file.replace(/\.ts$/, '')] = (await import(new URL(file, folder).href)) as Migration
  }
  const { error } = await new Migrator({ db, provider: { getMigrations: async () => migrations } }).migrateToLatest()
  if (error) throw error
  const { tables, sequences } = JSON.parse((await unpacked('database.json')).toString()) as {
    tables: Record<string, string>
    sequences: Record<string, string>
  }
  await db.transaction().execute(async (tx) => {
    // Disable triggers: the rows already include what triggers wrote.
    await sql`set local session_replication_role = replica`.execute(tx)
    for (const [table, rows] of Object.entries(tables)) {
      const name = sql.table(table)
      await sql`delete from ${name}`.execute(tx)
      await sql`insert into ${name} overriding system value
        select * from json_populate_recordset(null::${name}, ${rows}::json)`.execute(tx)
    }
    for (const [name, value] of Object.entries(sequences))
      await sql`select setval(${name}::regclass, ${value}::bigint)`.execute(tx)
  })
}

/** Tables with deadlines. They are shifted as if the earlier version had stopped now. */
const DEADLINES: Readonly<Record<string, readonly string[]>> = {
  operations: ['expires_at', 'created_at', 'updated_at', 'approved_at'],
  transactions: ['valid_until'],
  agent_work: ['available_at', 'leased_until', 'claimed_at', 'handed_out_at', 'created_at'],
  idempotency_keys: ['created_at'],
  sessions: ['created_at'],
  refresh_tokens: ['expires_at', 'used_at'],
  outbox: ['created_at', 'relayed_at'],
  webhook_deliveries: ['created_at'],
}

/**
 * Makes `dataDir` the folder of the earlier version, as if that had stopped just now, with its webhook's receiver at
 * `webhookUrl`. Pending retries are due immediately.
 */
export async function restoreDataFolder(dataDir: string, webhookUrl: string): Promise<void> {
  const fixture = await readUpgradeFixture()
  const postgres = await startEmbeddedPostgres({ dataDir, log: silentLog })
  const { db, close } = openDatabase({ url: postgres.url, log: silentLog, max: 1 })
  try {
    await restoreDatabase(db)
    for (const [table, columns] of Object.entries(DEADLINES)) {
      const later = columns.map((column) => {
        const name = sql.ref(column)
        return sql`${name} = ${name} + (now() - ${fixture.stoppedAt}::timestamptz)`
      })
      await sql`update ${sql.table(table)} set ${sql.join(later)}`.execute(db)
    }
    await sql`update webhooks set url = ${webhookUrl}, paused_until = null, leased_until = null, wake_at = now()`.execute(
      db,
    )
    await sql`update webhook_deliveries set next_attempt_at = now() where status = 'pending'`.execute(db)
    await sql`update wallets_set_aside set next_attempt_at = now()`.execute(db)
    await sql`update ramp_sandbox_transfers set due_at = now(), delay_ms = 0 where due_at is not null`.execute(db)
  } finally {
    await close()
    await postgres.stop()
  }
  await mkdir(join(dataDir, 'chains'))
  for (const name of ['ethereum.json', 'polygon.json', 'base.json', 'solana.db'])
    await writeFile(join(dataDir, 'chains', name), await unpacked(name))
  const write = (name: string, content: unknown) =>
    writeFile(join(dataDir, name), `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 })
  await write('secrets.json', fixture.secrets)
  await write('sandbox-credentials.json', fixture.credentials)
}
