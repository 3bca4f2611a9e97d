import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { testDatabase } from '../../../testing/index.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { readColumns } from '../queries/read-columns.ts'
import { CROSSING_REFERENCES, GLOBAL_KEYS, TABLE_PLACEMENT } from './distribution.ts'
import { TABLES } from './tables.ts'

const database = useFixture(testDatabase)

/** Tables with a row that belongs to one organization: they can be distributed by `organization_id`. */
async function distributed(): Promise<Set<string>> {
  const columns = await readColumns(database.db)
  const tenants = columns.filter(({ name, isNullable }) => name === 'organization_id' && !isNullable)
  return new Set(tenants.map(({ table }) => table).filter((table) => !(table in TABLE_PLACEMENT)))
}

interface Index {
  readonly name: string
  readonly table: string
  readonly isPrimary: boolean
  readonly columns: readonly string[]
}

async function uniqueIndexes(): Promise<Index[]> {
  const { rows } = await sql<Index>`
    select i.relname as name, t.relname as "table", x.indisprimary as "isPrimary",
      array(select pg_get_indexdef(x.indexrelid, k, true) from generate_series(1, x.indnkeyatts) k)::text[] as columns
    from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class t on t.oid = x.indrelid
    where (x.indisunique or x.indisexclusion) and not t.relispartition and t.relnamespace = 'public'::regnamespace
    order by t.relname, i.relname
  `.execute(database.db)
  return rows
}

interface Reference {
  readonly name: string
  readonly from: string
  readonly to: string
  readonly columns: readonly string[]
  readonly targets: readonly string[]
}

async function references(): Promise<Reference[]> {
  const names = (columns: string, table: string) =>
    sql.raw(`array(select a.attname::text from unnest(c.${columns})
    with ordinality k(number, place) join pg_attribute a on a.attrelid = c.${table} and a.attnum = k.number order by place)`)
  const { rows } = await sql<Reference>`
    select c.conname as name, c.conrelid::regclass::text as "from", c.confrelid::regclass::text as "to",
      ${names('conkey', 'conrelid')} as columns, ${names('confkey', 'confrelid')} as targets
    from pg_constraint c where c.contype = 'f' and c.conparentid = 0 and c.connamespace = 'public'::regnamespace
    order by 1
  `.execute(database.db)
  return rows
}

test('every table belongs to one organization row by row, or says where it is kept and why', async () => {
  const tenants = await distributed()
  expect(
    Object.keys(TABLES)
      .filter((table) => !tenants.has(table))
      .sort(),
  ).toEqual(Object.keys(TABLE_PLACEMENT).sort())
})

test('no unique key of a tenant’s table crosses organizations, with the exceptions that are named', async () => {
  const tenants = await distributed()
  const crossing = (await uniqueIndexes()).filter(
    ({ table, columns }) => tenants.has(table) && !columns.includes('organization_id'),
  )
  // A sequence makes an id unique; the index only finds it. A primary key can be no such index.
  const keys = crossing.filter(({ columns, isPrimary }) => isPrimary || columns.join() !== 'id')
  expect(keys.map(({ name }) => name).sort()).toEqual(Object.keys(GLOBAL_KEYS).sort())
})

test('ADR 153 counts the exceptions as they are', () => {
  const adr = readFileSync(
    new URL('../../../../../docs/decisions/0153-distribution-by-organization.md', import.meta.url),
    'utf8',
  )
  const placed = (place: string) => Object.values(TABLE_PLACEMENT).filter((one) => one.place === place).length
  expect(adr).toContain(`| ${placed('reference')} tables | reference tables`)
  expect(adr).toContain(`| ${placed('local')} tables | one node |`)
  expect(adr).toContain(`| ${Object.keys(GLOBAL_KEYS).length} keys | a local table`)
  expect(adr).toContain(`| ${Object.keys(CROSSING_REFERENCES).length} | dropped |`)
})

test('each key that holds over all organizations has a reason', () => {
  const reasons = [...Object.values(TABLE_PLACEMENT).map(({ why }) => why), ...Object.values(GLOBAL_KEYS)]
  for (const why of [...reasons, ...Object.values(CROSSING_REFERENCES)]) expect(why).toMatch(/\w/)
})

test('no reference leads from one organization’s row to another’s, with the exceptions that are named', async () => {
  const tenants = await distributed()
  // The organization itself is where its rows are.
  const keyOf = (table: string) => (table === 'organizations' ? 'id' : 'organization_id')
  const isDistributed = (table: string) => tenants.has(table) || table === 'organizations'
  const crossing = (await references()).filter(({ from, to, columns, targets }) => {
    if (!isDistributed(from)) return isDistributed(to)
    // Every node has a copy of a reference table.
    if (TABLE_PLACEMENT[to as keyof typeof TABLE_PLACEMENT]?.place === 'reference') return false
    const at = columns.indexOf(keyOf(from))
    return at === -1 || targets[at] !== keyOf(to)
  })
  expect(crossing.map(({ name }) => name).sort()).toEqual(Object.keys(CROSSING_REFERENCES).sort())
})
