import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { testDatabase } from '../testing/index.ts'
import { useFixture } from '../testing/use-fixture.ts'
import { TABLES } from './database/catalog/tables.ts'

/** Libraries that keep their own tables, in the file that sets them up. */
const OWN_TABLES = new Set(['surfaces/http/limits/shared-rate-limiters.ts'])

/** Writes every sealed column, whose tables main/keys/sealed-columns.test.ts compares with the database. */
const WRITES_SEALED_COLUMNS = 'secrets/reseal-values.ts'

/** Moves rows within a table, to the partition of their month. */
const MOVES_ROWS = 'database/migrating/make-partitions.ts'

/** Writers that are no room of the service. */
const OUTSIDE_ROOMS = new Set(['triggers', 'operator'])

const root = dirname(fileURLToPath(import.meta.url))
const code = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && !name.startsWith('database/migrations/'))
  .filter((name) => !OWN_TABLES.has(name) && name !== WRITES_SEALED_COLUMNS && name !== MOVES_ROWS)
  .map((name) => ({ name, room: name.split('/')[0]!.replace(/\.ts$/, ''), writes: writesOf(textOf(name)) }))
const written = code.flatMap(({ name, room, writes }) => writes.map((table) => ({ name, room, table })))

const database = useFixture(testDatabase)

test('each table is written by the rooms that the map names, and by no other', () => {
  const rooms = new Map<string, Set<string>>()
  for (const { room, table } of written) rooms.set(table, (rooms.get(table) ?? new Set()).add(room))
  const actual = Object.fromEntries([...rooms].map(([table, names]) => [table, [...names].sort()]))
  const expected = Object.entries(TABLES).map(([table, { writers }]): [string, string[]] => [
    table,
    writers.flatMap(({ room }) => (OUTSIDE_ROOMS.has(room) ? [] : [room])).sort(),
  ])
  expect(actual).toEqual(Object.fromEntries(expected.filter(([, rooms]) => rooms.length > 0)))
})

test('a second writer of a table has a reason', () => {
  for (const [table, { writers }] of Object.entries(TABLES)) {
    const [owner, ...others] = writers
    expect(owner?.why, table).toBeUndefined()
    for (const { why } of others) expect(why, table).toMatch(/\w+ \w+/)
  }
})

test('triggers write the tables that the map names, and no other', async () => {
  const { rows } = await sql<{ body: string }>`
    select p.prosrc as body from pg_proc p join pg_namespace n on n.oid = p.pronamespace
    where n.nspname = 'public' and p.prorettype = 'trigger'::regtype
  `.execute(database.db)
  const byTrigger = new Set(rows.flatMap(({ body }) => writesOf(body)))
  const named = Object.entries(TABLES).filter(([, { writers }]) => writers.some(({ room }) => room === 'triggers'))
  expect([...byTrigger].sort()).toEqual(named.map(([table]) => table).sort())
})

test('every write names its table, so that this test can read it', () => {
  expect(written.filter(({ table }) => !(table in TABLES))).toEqual([])
})

test('one file writes events into the outbox', () => {
  const inserting = code.filter(({ name }) => /\binsert into outbox\b|insertInto\('outbox'\)/.test(textOf(name)))
  expect(inserting.map(({ name }) => name)).toEqual(['database/outbox/emit.ts'])
})

test('only the presenter reads the reasons of an operation: decisions read columns', () => {
  const reads = /\breasons\s*(->|#>|\?\.|\[)|\breasons as \w|\}\s*=\s*[\w.]*\breasons\b|\.reasons\.\w/
  const readers = code.filter(({ name }) => reads.test(textOf(name)))
  expect(readers.map(({ name }) => name)).toEqual(['surfaces/core/operations/reasons.ts'])
})

test('the scan finds every form of a write', () => {
  const forms = [
    "db.insertInto('a').values(row)",
    "db\n  .updateTable('b')",
    "tx.deleteFrom('c')",
    'sql`insert into d (x) values (1)`',
    'sql`update e set x = 1`',
    'sql`update f as other\n  set x = 1`',
    'sql`delete from g where x`',
    'sql`truncate h`',
  ]
  expect(forms.flatMap(writesOf)).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'])
  const unnamed = '$' + '{name}'
  expect(writesOf(`sql\`delete from ${unnamed} where x\``)).toEqual([unnamed])
  expect(writesOf('db.updateTable(name)')).toEqual(['name'])
  expect(writesOf('select 1 from x for update of y; on conflict (z) do update set x = 1')).toEqual([])
})

function textOf(name: string): string {
  return readFileSync(join(root, name), 'utf8').replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
}

/** The tables that a text writes, in order; an expression instead of a name is returned unchanged. */
function writesOf(text: string): string[] {
  const kysely = /\b(?:insertInto|updateTable|deleteFrom|mergeInto|replaceInto)\(\s*(?:'([^']*)'|([\w.]+))/
  const raw = /\b(?:insert\s+into|delete\s+from|truncate(?:\s+table)?|merge\s+into)\s+(\$\{[^}]*\}|\w+)/
  const update = /\bupdate\s+(\$\{[^}]*\}|\w+)(?:\s+(?:as\s+)?\w+)?\s+set\b/
  const pattern = new RegExp([kysely, raw, update].map(({ source }) => source).join('|'), 'gi')
  return [...text.matchAll(pattern)].map((match) => match.slice(1).find((part) => part !== undefined) ?? '')
}
