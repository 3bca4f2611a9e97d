import { randomBytes } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import {
  type Database,
  inspectDatabase,
  migrate,
  openDatabase,
  packagedBinaries,
  startEmbeddedPostgres,
} from '../../../server/src/database/index.ts'
import { verifyAuditLogs } from '../../../server/src/identity/index.ts'
import { silentLog } from '../../../server/src/kernel/index.ts'
import { verifyLedger } from '../../../server/src/ledger/index.ts'
import { type Finding, ok, problem, skipped, warning } from '../doctor/findings.ts'
import type { Shell } from '../shell.ts'
import { inFreshDatabase } from './fresh-database.ts'
import { openDump, type Restored, restore } from './restore.ts'

/**
 * Restores a dump into a temporary database and verifies what came back: a database of `server`, the URL of a PostgreSQL
 * without Weir, or of one that starts for it. Throws if the dump cannot be read at all.
 */
export async function checkBackup(
  { interrupted }: Pick<Shell, 'interrupted'>,
  path: string,
  server?: string,
): Promise<Finding[]> {
  const dump = await openDump(path)
  const check = async (url: string) => [
    ...restoredFindings(await restore(dump, url, interrupted)),
    ...(await verify(url)),
  ]
  return server === undefined ? await inEmbeddedPostgres(check) : await inFreshDatabase(server, dump, check)
}

async function inEmbeddedPostgres(check: (url: string) => Promise<Finding[]>): Promise<Finding[]> {
  try {
    packagedBinaries()
  } catch (error) {
    throw new Error(
      'this package has no PostgreSQL of its own: name one that Weir does not use, with --server postgres://... (docs/backup.md)',
      { cause: error },
    )
  }
  const dataDir = mkdtempSync(join(tmpdir(), 'weir-backup-'))
  // As root, PostgreSQL runs as another user, which must be able to traverse the folder.
  chmodSync(dataDir, 0o711)
  try {
    const server = await startEmbeddedPostgres({ dataDir, log: silentLog, survivesPowerLoss: false })
    try {
      return await check(await ordinaryUser(server.url))
    } finally {
      await server.stop()
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** Gives the database to a user who may not run programs on this host, as a superuser may by `copy ... from program`. */
async function ordinaryUser(url: string): Promise<string> {
  const { db, close } = openDatabase({ url, log: silentLog, max: 1 })
  const ordinary = new URL(url)
  ordinary.username = 'weir_backup_check'
  ordinary.password = randomBytes(24).toString('base64url')
  try {
    const role = sql.id(ordinary.username)
    await sql`create role ${role} login createdb password ${sql.lit(ordinary.password)}`.execute(db)
    await sql`alter database ${sql.id(decodeURIComponent(ordinary.pathname.slice(1)))} owner to ${role}`.execute(db)
  } finally {
    await close()
  }
  return ordinary.href
}

function restoredFindings({ errors, extensions }: Restored): Finding[] {
  const foreign = extensions.map((line) => skipped(`an extension of PostgreSQL, which Weir does not need: ${line}`))
  return [...foreign, ...errorFindings(errors)]
}

function errorFindings(complaints: readonly string[]): Finding[] {
  if (complaints.length === 0) return [ok('restored without an error')]
  const remedy = 'make the dump again, and restore it with tools of the version that made it or newer'
  const shown = complaints.slice(0, 5).map((line) => problem(line, remedy))
  const more = complaints.length - shown.length
  return more === 0 ? shown : [...shown, problem(`${more} more errors while restoring`, remedy)]
}

async function verify(url: string): Promise<Finding[]> {
  const patient = new URL(url)
  // Nobody else waits for this database, and on a large one each check reads whole tables.
  for (const name of ['statement_timeout', 'lock_timeout']) patient.searchParams.set(name, '0')
  const { db, close } = openDatabase({ url: patient.href, log: silentLog, max: 2 })
  try {
    const migrated = await checkMigrations(db)
    if (migrated.some(({ status }) => status === 'problem')) return migrated
    return [...migrated, ...(await checkAudit(db)), ...(await checkBooks(db)), await newestEvent(db)]
  } finally {
    await close()
  }
}

async function checkMigrations(db: Database): Promise<Finding[]> {
  const { migrations } = await inspectDatabase(db, Date.now)
  if (migrations.pending[0] === '0001-identity') {
    return [problem('this is not a dump of a Weir database, or it is empty', 'check what pg_dump was given')]
  }
  if (migrations.unknown.length > 0) {
    const newer = migrations.unknown.join(', ')
    return [problem(`it is from a newer version: ${newer}`, 'check it with the version that wrote it')]
  }
  if (migrations.pending.length === 0) return [ok('it is from this version')]
  try {
    await migrate(db, silentLog)
    return [ok(`it is from an earlier version, and its ${migrations.pending.length} missing migrations apply`)]
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return [problem(`its missing migrations do not apply: ${reason}`, 'solve this before you upgrade with this data')]
  }
}

async function checkAudit(db: Database): Promise<Finding[]> {
  const broken: Finding[] = []
  let logs = 0
  let entries = 0
  for await (const log of verifyAuditLogs(db, [])) {
    logs += 1
    entries += log.entries
    if (log.broken === undefined) continue
    const where = `the audit log of organization ${log.organizationId} is broken, ${log.broken}`
    broken.push(problem(where, 'compare it with the live database and with your anchors (docs/audit-log.md)'))
  }
  if (broken.length > 0) return broken
  return [ok(`all audit logs are whole: ${logs}, with ${entries} entries`)]
}

async function checkBooks(db: Database): Promise<Finding[]> {
  const violations = await verifyLedger(db)
  if (violations.length === 0)
    return [
      ok(
        'the ledger balances: entries sum to zero, balances are the sums of postings, and equal what is deployed, exiting, reserved and earned',
      ),
    ]
  const remedy = 'compare it with the live database: either the dump or the ledger is damaged'
  return violations.map(({ what, count }) => problem(`the ledger does not balance: ${what} (${count})`, remedy))
}

/** How old the backup really is. */
async function newestEvent(db: Database): Promise<Finding> {
  const { at } = await db
    .selectFrom('outbox')
    .select(({ fn }) => fn.max('created_at').as('at'))
    .executeTakeFirstOrThrow()
  if (at === null) return warning('it has no event', 'normal for a new installation; otherwise check what was dumped')
  return ok(`its newest event is from ${new Date(at).toISOString()}`)
}
