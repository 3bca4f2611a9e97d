import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import type { MigrationStep } from './database/migration-steps.ts'

/** The first migration that must have steps (ADR 137). */
const FIRST_STEPPED = 59

const folder = join(dirname(fileURLToPath(import.meta.url)), 'database/migrations')
const names = readdirSync(folder).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
const numberOf = (name: string) => Number(name.slice(0, 4))

/** A form that holds up those who use the table, and what to write instead. */
const HOLDS_UP: readonly (readonly [RegExp, string])[] = [
  [/\bcreate\s+(unique\s+)?index\b/, 'build the index with index(): it is built concurrently'],
  [/\b(?:drop|reindex)\s+index\b/, 'drop indexes concurrently, in a step of its own kind'],
  [/\balter\s+column\s+\w+\s+(set\s+data\s+)?type\b/, 'add a column of the new type, and fill it by a job'],
  [/\balter\s+column\s+\w+\s+set\s+not\s+null\b/, 'add a check (… is not null) not valid, and validate it'],
  [/\badd\s+column\b[^,;]*\bnot\s+null\b(?![^,;]*\bdefault\b)/, 'an older process inserts rows without the column'],
  [/\badd\s+column\b[^,;]*\b(?:generated|serial|bigserial)\b/, 'a generated column rewrites the table'],
  [
    /\badd\s+column\b[^,;]*\bdefault\s+(?:\w+\.)?(?:gen_random_uuid|random|clock_timestamp|nextval)\b/,
    'a default that differs by row rewrites the table',
  ],
  [
    /\badd\s+column\b[^,;]*\b(?:unique|primary\s+key|references|check)\b/,
    'add the constraint not valid, then validate it',
  ],
  [
    /\badd\s+(?:constraint\s+\w+\s+)?(?:foreign\s+key|check)\b(?![\s\S]*\bnot\s+valid\b)/,
    'add the constraint not valid, then validate it in the next step',
  ],
  [
    /\badd\s+(?:constraint\s+\w+\s+)?(?:unique|primary\s+key|exclude)\b(?![\s\S]*\busing\s+index\b)/,
    'build a unique index first, then add the constraint using it',
  ],
  [/\b(?:drop\s+column|rename|drop\s+table)\b/, 'an older process still uses it: contract in a later release'],
  [/^\s*(?:with|update|delete|insert|truncate|merge)\b/, 'move data by a job in batches, not in a migration'],
  [/\b(?:cluster|vacuum|lock\s+table|reindex|refresh\s+materialized)\b/, 'it locks the whole table'],
]

/** Why a statement would hold up processes that serve. A table that the migration itself creates holds up nobody. */
function problemsOf(text: string, created: ReadonlySet<string>): string[] {
  // The body of a function runs when it is called.
  const statement = text
    .toLowerCase()
    .replace(/--.*$/gm, '')
    .replace(/\$\$.*?\$\$/gs, '')
    .trim()
  if (/;\s*\S/.test(statement)) return ['one statement in each step: locks of several add up']
  const [, table] =
    /\b(?:alter\s+table|create\s+(?:unique\s+)?index\s.*?\bon)\s+(?:if\s+exists\s+)?(\w+)/.exec(statement) ?? []
  if (/^create\s+(?:table|sequence|type|schema|or\s+replace\s+function|function)\b/.test(statement)) return []
  if (table !== undefined && created.has(table)) return []
  return HOLDS_UP.filter(([form]) => form.test(statement)).map(([, instead]) => instead)
}

const createdBy = (texts: readonly string[]): Set<string> =>
  new Set(
    texts.flatMap((text) =>
      [...text.matchAll(/create\s+table\s+(?:if\s+not\s+exists\s+)?(\w+)/gi)].map(([, name]) => name!),
    ),
  )

/** A step may run again after a crash between it and its record. */
const isRepeatable = (text: string) =>
  !/^\s*create\s+(?:table|sequence|schema)\b(?!\s+if\s+not\s+exists)|\badd\s+column\b(?!\s+if\s+not\s+exists)/i.test(
    text,
  )

test('new migrations have steps that hold up no process that serves', async () => {
  const problems: string[] = []
  for (const name of names.filter((one) => numberOf(one) >= FIRST_STEPPED)) {
    const { steps, up } = (await import(join(folder, name))) as { steps?: readonly MigrationStep[]; up?: unknown }
    if (steps === undefined || up !== undefined) {
      problems.push(`${name}: it must export steps, not up`)
      continue
    }
    const texts = steps.flatMap((step) => (step.kind === 'statement' ? [step.text] : []))
    for (const text of texts)
      problems.push(...problemsOf(text, createdBy(texts)).map((problem) => `${name}: ${problem}`))
  }
  expect(problems).toEqual([])
})

test('a step may run again after a crash before its record', async () => {
  for (const name of names.filter((one) => numberOf(one) >= FIRST_STEPPED)) {
    const { steps = [] } = (await import(join(folder, name))) as { steps?: readonly MigrationStep[] }
    for (const step of steps) if (step.kind === 'statement') expect(isRepeatable(step.text), step.text).toBe(true)
  }
})

test('the lint finds every form that holds up others', () => {
  const forms = [
    'create index a on wallets (id)',
    'alter table wallets alter column label type varchar(10)',
    'alter table wallets alter column label set not null',
    'alter table wallets add column kind text not null',
    'alter table wallets add column kind bigint generated always as (id * 2) stored',
    'alter table wallets add column kind uuid default gen_random_uuid()',
    'alter table wallets add column kind bigint references organizations (id)',
    'alter table wallets add constraint one foreign key (id) references organizations (id)',
    'alter table wallets add constraint one check (id > 0)',
    'alter table wallets add constraint one unique (id)',
    'alter table wallets drop column label',
    'alter table wallets rename column label to name',
    'drop table wallets',
    "update wallets set label = ''",
    'lock table wallets',
    'alter table wallets add column a text; alter table wallets add column b text',
  ]
  for (const form of forms) expect(problemsOf(form, new Set()), form).not.toEqual([])
  const fine = [
    'create table if not exists others (id bigint primary key)',
    'alter table wallets add column if not exists kind text',
    "alter table wallets add column if not exists kind text not null default 'plain'",
    'alter table wallets add constraint one check (id > 0) not valid',
    'alter table wallets validate constraint one',
    'alter table wallets add constraint one unique using index wallets_one',
  ]
  for (const form of fine) expect(problemsOf(form, new Set()), form).toEqual([])
  expect(problemsOf('create index a on others (id)', new Set(['others']))).toEqual([])
  expect(isRepeatable('create table others ()')).toBe(false)
  expect(isRepeatable('alter table wallets add column kind text')).toBe(false)
})
