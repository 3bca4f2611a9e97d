import { randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { sql } from 'kysely'
import { type Database, openDatabase } from '../../../server/src/database/index.ts'
import { silentLog } from '../../../server/src/kernel/index.ts'
import { UsageError } from '../shell.ts'
import type { Dump } from './restore.ts'

/**
 * Runs `work` on a fresh database of a server, and drops it. Throws a {@link UsageError}, before it creates one, where a
 * database of the server holds Weir, or the dump would leave the fresh database.
 */
export async function inFreshDatabase<T>(server: string, dump: Dump, work: (url: string) => Promise<T>): Promise<T> {
  await refuseLeaving(dump)
  return await on(server, async (db) => {
    await refuseWeir(server, db)
    const name = `weir_backup_check_${randomBytes(6).toString('hex')}`
    await sql`create database ${sql.id(name)} template template0`.execute(db)
    try {
      return await work(at(server, name))
    } finally {
      await sql`drop database ${sql.id(name)} with (force)`.execute(db)
    }
  })
}

/** A dump is a program: it must not meet what an installation uses, whatever it contains. */
async function refuseWeir(server: string, db: Database): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select datname as name from pg_database
    where datallowconn and not datistemplate and has_database_privilege(datname, 'connect') order by datname
  `.execute(db)
  for (const { name } of rows) {
    if (await on(at(server, name), holdsWeir))
      throw new UsageError(
        `the server of --server holds Weir, in the database ${name}: check backups on another server`,
      )
  }
}

/** The dump cannot reach a database that refuses its user. */
async function holdsWeir(db: Database): Promise<boolean> {
  try {
    const { rows } = await sql`
      select from pg_class where relkind in ('r', 'p') and relname in ('secret_keys', 'ledger_postings', 'kysely_migration')
    `.execute(db)
    return rows.length > 0
  } catch (error) {
    if (NO_ENTRY.has(String((error as { code?: unknown }).code))) return false
    throw error
  }
}

/** invalid_authorization_specification, invalid_password, insufficient_privilege. */
const NO_ENTRY = new Set(['28000', '28P01', '42501'])

/** What leaves the database of the check: pg_dump writes it with --create, and pg_dumpall always. pg_restore leaves it out. */
const LEAVES = /^(?:\\c(?:onnect)?\b|(?:create|drop|alter) (?:database|role|user|tablespace)\b)/i

async function refuseLeaving({ path, isArchive }: Dump): Promise<void> {
  if (isArchive) return
  for await (const line of createInterface({ input: createReadStream(path) })) {
    if (LEAVES.test(line))
      throw new UsageError(
        `${path} creates databases or roles: make it with pg_dump, without --create, to check it on a server of yours`,
      )
  }
}

async function on<T>(url: string, work: (db: Database) => Promise<T>): Promise<T> {
  const { db, close } = openDatabase({ url, log: silentLog, max: 1 })
  try {
    return await work(db)
  } finally {
    await close()
  }
}

function at(server: string, name: string): string {
  const url = new URL(server)
  url.pathname = `/${encodeURIComponent(name)}`
  return url.href
}
