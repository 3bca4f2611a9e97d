// Writes docs/database.md: every table of the migrated database with its columns, its contents and the room that writes
// it. Descriptions of tables come from database/catalog/tables.ts, those of columns from the comments in database/schema/, and
// what becomes of personal data in them from database/catalog/personal-data.ts.
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TABLES, type TableDescription } from '../../apps/server/src/database/catalog/tables.ts'
import {
  type Database,
  ERASED_COLUMNS,
  KEPT_COLUMNS,
  migrate,
  openDatabase,
  SWEPT_COLUMNS,
  startEmbeddedPostgres,
} from '../../apps/server/src/database/index.ts'
import { type DatabaseColumn, readColumns } from '../../apps/server/src/database/queries/read-columns.ts'
import { silentLog } from '../../apps/server/src/kernel/index.ts'
import { linkPages } from './link-pages.ts'
import { declaredTables } from './read-schema.ts'

const file = new URL('../../docs/database.md', import.meta.url)

const INTRODUCTION = `# Database

<!-- Written by scripts/documents/write-database-doc.ts. -->

PostgreSQL holds all state. Each table has one room that owns it, and a test compares this page with the code and with
the migrated database. Rooms read each other's tables; they write only their own, with the exceptions that are named
here. [CONTRIBUTING.md](../CONTRIBUTING.md) says what each room is for.

Amounts are whole numbers of a token's base units, in \`numeric\`. Times are \`timestamptz\`. A table of a tenant has
\`organization_id\` first in its keys. [Scaling](scaling.md) says how the tables grow and how they can be distributed.

The start migrates the tables in small steps while the previous version keeps serving
([ADR 137](decisions/0137-migrations-in-steps.md)). What is deleted because of its age is in
[operating](operating.md#what-is-deleted-and-when). Columns that may hold [personal data](personal-data.md) say what
becomes of it: an erasure empties it (*Erased*), it goes after a time (*Expires*), or it stays, and why (*Kept*). Only
earlier versions write columns marked *old*.`

/** The whole document, for a migrated database. */
export async function databaseDocument(db: Database): Promise<string> {
  const columns = await readColumns(db)
  const owners = [...new Set(Object.values(TABLES).map(({ writers }) => writers[0]!.room))].sort()
  const chapters = owners.map((owner) => {
    const owned = Object.entries(TABLES).filter(([, { writers }]) => writers[0]!.room === owner)
    const tables = owned.map(([name, described]) => tableSection(name, described, columns))
    return [`## ${titleOf(owner)}`, ...tables].join('\n\n')
  })
  return `${[INTRODUCTION, ...chapters].join('\n\n')}\n`
}

const titleOf = (owner: string) => (owner === 'operator' ? 'Set by an operator' : `Written by \`${owner}\``)

function tableSection(name: string, { holds, writers }: TableDescription, columns: readonly DatabaseColumn[]): string {
  const others = writers.slice(1).map(({ room, why }) => `Also written by ${roomName(room)}: ${why}.`)
  const declared = declaredTables().get(name)
  const rows = columns
    .filter(({ table }) => table === name)
    .map(({ name: column, type, isNullable }) => {
      const notes = [linkPages(declared?.get(column)?.comment ?? ''), fateOf(name, column)].filter(
        (note) => note !== '',
      )
      return `| \`${column}\` | ${type} | ${isNullable ? 'yes' : ''} | ${notes.join(' ')} |`
    })
  const head = ['| Column | Type | Null | |', '|---|---|---|---|']
  return [`### \`${name}\``, [holds, ...others].join(' '), [...head, ...rows].join('\n')].join('\n\n')
}

/** What becomes of personal data in a column; nothing if it holds none. */
function fateOf(table: string, column: string): string {
  const fates = { Erased: ERASED_COLUMNS, Expires: SWEPT_COLUMNS, Kept: KEPT_COLUMNS }
  const said = Object.entries(fates).flatMap(([fate, tables]) => {
    const holds = (tables as Readonly<Record<string, Readonly<Record<string, string>>>>)[table]?.[column]
    return holds === undefined ? [] : [column.replaceAll('_', ' ') === holds ? `*${fate}.*` : `*${fate}:* ${holds}.`]
  })
  return said.join(' ')
}

const roomName = (room: string) => (room === 'triggers' ? 'triggers' : `\`${room}\``)

async function write(): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'weir-doc-'))
  // As root, PostgreSQL runs as another user, which must be able to traverse the folder.
  chmodSync(dataDir, 0o711)
  const server = await startEmbeddedPostgres({ dataDir, log: silentLog })
  const { db, close } = openDatabase({ url: server.url, log: silentLog, max: 1 })
  try {
    await migrate(db, silentLog)
    writeFileSync(file, await databaseDocument(db))
  } finally {
    await close()
    await server.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

if (import.meta.main) await write()
