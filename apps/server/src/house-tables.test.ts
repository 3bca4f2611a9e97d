import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { testDatabase } from '../testing/index.ts'
import { useFixture } from '../testing/use-fixture.ts'
import { TABLES } from './database/catalog/tables.ts'
import { PARTITIONED_TABLES } from './database/migrating/make-partitions.ts'

/** Libraries that keep their own tables, in the file that sets them up. */
const OWN_TABLES = new Set(['surfaces/http/limits/shared-rate-limiters.ts'])

/** Writes every sealed column, whose tables main/keys/sealed-columns.test.ts compares with the database. */
const WRITES_SEALED_COLUMNS = 'secrets/reseal-values.ts'

/** Moves rows within a table, to the partition of their month. */
const MOVES_ROWS = 'database/migrating/make-partitions.ts'

/** Tables whose rows no statement changes or deletes, and why they are not partitioned (ADR 149). */
const NOT_PARTITIONED: Readonly<Record<string, string>> = {
  ledger_entries: 'the key (organization, source) makes an entry post once, over all time',
  ledger_postings: 'read by wallet; a month in the key would no longer say that each line exists once',
  audit_log: 'read by id, actor and object over all time',
  audit_anchor_heads:
    'by default at most 8,760 rows a year and organization, and an anchor looks for the latest of each',
  fiat_entries: 'the key makes a payment post once; a few rows a payment',
  fiat_postings: 'a few lines a payment, each with its entry',
  ramp_provider_events: 'the key (provider, event) applies an event once, over all time; a few rows a payment',
  approval_policies: 'a row whenever a person changes a policy',
  change_decisions: 'a row whenever a person decides on a change',
  operation_approvals: 'a row whenever a person decides on an operation; found by the operation',
  awaited_withdrawal_operations: 'some rows a withdrawal that somebody requested; found by the withdrawal',
  ramp_terms: 'a row an organization at most, and an operator writes it',
  breaker_settings: 'a row an organization, which the next setting replaces',
  change_policies: 'a row an organization, which the next policy replaces',
  deposit_limits: 'a row an organization, which the next limits replace',
  destination_lists: 'a row an organization',
  deleted_events: 'a row an organization, which moves on',
  token_prices: 'a row a token, which the next price replaces',
  migration_steps: 'a row a step of a migration',
  kysely_migration: 'a row a migration',
  kysely_migration_lock: 'one row',
}

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

test('a table that only grows is partitioned by month, or its reason why not is known', async () => {
  const { rows } = await sql<{ name: string; is_partitioned: boolean }>`
    select c.relname as name, c.relkind = 'p' as is_partitioned
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition
  `.execute(database.db)
  const partitioned = rows.filter((row) => row.is_partitioned).map(({ name }) => name)
  expect(partitioned).toEqual(PARTITIONED_TABLES.map(({ table }) => table))
  const changed = new Set(code.flatMap(({ name }) => changesOf(textOf(name))))
  const onlyGrow = rows.filter(({ name }) => !changed.has(name) && !partitioned.includes(name))
  expect(onlyGrow.map(({ name }) => name).sort()).toEqual(Object.keys(NOT_PARTITIONED).sort())
  for (const [table, why] of Object.entries(NOT_PARTITIONED)) expect(why, table).toMatch(/\w+ \w+/)
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

/** Files whose SQL reads a field of a stored document, with the reason why no column holds it. */
const FIELDS_OF_DOCUMENTS: Readonly<Record<string, string>> = {
  'agents/erase-actions.ts': 'finds what is not erased yet',
  'breakers/read-breakers.ts': 'the settings are one document, which people write as a whole',
  'database/outbox/erase-event-fields.ts': 'finds what is not erased yet',
  'operations/planning/read-planning-state.ts': 'the quotas are one document, which people write as a whole',
  'ramp/deposits/discard-deposits.ts': 'finds the payments of the sandbox on a chain that starts without history',
  'ramp/sandbox/run-transfers.ts': 'checks that nobody changed where the tokens go since they were read',
  'rebalancing/awaited/awaited-withdrawal.ts': 'the document is built in the same statement',
  'rebalancing/schedule-drifted-wallets.ts': 'the settings are one document, which people write as a whole',
  'wallets/claim-evaluations.ts': 'the document is a parameter of the statement',
  'wallets/schedule-evaluation.ts': 'only where an earlier version wrote the row, which knew no column',
  'webhooks/endpoints/erase-webhooks.ts': 'finds what is not erased yet',
  'webhooks/events/search-events.ts': 'people search for events by what these contain',
}

test('what decides is a column: no other file selects by a field of a stored document', () => {
  const readers = code.filter(({ name }) => !name.startsWith('database/migrations/') && /->>/.test(textOf(name)))
  expect(readers.map(({ name }) => name).toSorted()).toEqual(Object.keys(FIELDS_OF_DOCUMENTS))
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
  expect(forms.flatMap(changesOf)).toEqual(['b', 'c', 'e', 'f', 'g', 'h'])
  expect(writesOf('select 1 from x for update of y; on conflict (z) do update set x = 1')).toEqual([])
})

function textOf(name: string): string {
  return readFileSync(join(root, name), 'utf8').replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
}

/** The tables that a text writes, in order; an expression instead of a name is returned unchanged. */
function writesOf(text: string): string[] {
  return tablesAfter(text, 'insertInto|updateTable|deleteFrom|mergeInto|replaceInto', 'insert\\s+into|')
}

/** The tables whose rows a text changes or deletes, other than by inserting one that is there already. */
function changesOf(text: string): string[] {
  return tablesAfter(text, 'updateTable|deleteFrom|mergeInto|replaceInto', '')
}

function tablesAfter(text: string, calls: string, inserts: string): string[] {
  const kysely = new RegExp(`\\b(?:${calls})\\(\\s*(?:'([^']*)'|([\\w.]+))`)
  const raw = new RegExp(
    `\\b(?:${inserts}delete\\s+from|truncate(?:\\s+table)?|merge\\s+into)\\s+(\\$\\{[^}]*\\}|\\w+)`,
  )
  const update = /\bupdate\s+(\$\{[^}]*\}|\w+)(?:\s+(?:as\s+)?\w+)?\s+set\b/
  const pattern = new RegExp([kysely, raw, update].map(({ source }) => source).join('|'), 'gi')
  return [...text.matchAll(pattern)].map((match) => match.slice(1).find((part) => part !== undefined) ?? '')
}
