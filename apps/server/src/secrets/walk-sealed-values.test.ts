import { type RawBuilder, sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { probeStatements } from '../../testing/database/probe-statements.ts'
import { testDatabase } from '../../testing/index.ts'
import { useFixture } from '../../testing/use-fixture.ts'
import { createSealer, keyRing, ManualClock, SEALED_WALK_ROWS, systemRandomSource } from '../kernel/index.ts'
import { countSealedValues } from './count-sealed-values.ts'
import { findSealingKeys } from './find-sealing-keys.ts'
import { resealValues } from './reseal-values.ts'
import type { SealedColumn } from './sealed-column.ts'
import { walkSealedValues } from './walk-sealed-values.ts'

const EVENTS: SealedColumn = {
  table: 'outbox',
  column: 'personal',
  key: ['organization_id', 'id'],
  purpose: 'tests',
  label: ({ id }) => `test ${id}`,
}
const [old, next] = [
  ['0', 'ab'.repeat(32)],
  ['b', 'cd'.repeat(32)],
] as const
const ROWS = 2 * SEALED_WALK_ROWS + 1
const database = useFixture(testDatabase)

/** Events of many organizations without personal fields, as most are, between two with some. */
beforeAll(async () => {
  await sql`
    insert into outbox (organization_id, event, object_type, object_id, data, created_at)
    select 1 + n % 7, 'operation.completed', 'operation', n, '{}', now() from generate_series(1, ${ROWS}::int) n
  `.execute(database.db)
  await sql`analyze outbox`.execute(database.db)
  const { rows } = await sql<{ id: number }>`
    (select id from outbox order by organization_id, id limit 1)
    union all (select id from outbox order by organization_id desc, id desc limit 1)
  `.execute(database.db)
  const sealer = createSealer(keyRing([old]), 'tests', systemRandomSource)
  for (const { id } of rows) {
    const personal = sealer.seal(`event ${id}`, `test ${id}`)
    await database.db.updateTable('outbox').set({ personal }).where('id', '=', id).execute()
  }
}, 60_000)

interface Plan {
  readonly 'Actual Rows': number
  readonly 'Rows Removed by Filter'?: number
  readonly Plans?: readonly Plan[]
}

const mostRows = (plan: Plan): number =>
  Math.max(plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0), ...(plan.Plans ?? []).map(mostRows))

/** The most rows that any of the statements of `work` reads. */
async function rowsReadBy(work: () => Promise<unknown>): Promise<number[]> {
  const sent: { readonly text: string; readonly values: readonly unknown[]; readonly settings: string }[] = []
  let [isOn, settings] = [true, 'select']
  probeStatements((text, values) => {
    if (text === 'begin') settings = 'select'
    if (text.includes("set_config('enable_")) settings = text
    if (isOn && /^\s*(with|select)\b/.test(text) && text.includes('"outbox"')) sent.push({ text, values, settings })
  })
  await work()
  isOn = false
  const read: number[] = []
  for (const { text, values, settings } of sent) {
    const { rows } = await database.db.transaction().execute(async (tx) => {
      await sql.raw(settings).execute(tx)
      return await explain(text, values).execute(tx)
    })
    read.push(mostRows(rows[0]!['QUERY PLAN'][0]!.Plan))
  }
  return read
}

function explain(text: string, values: readonly unknown[]): RawBuilder<{ 'QUERY PLAN': { Plan: Plan }[] }> {
  const parts = text.split(/\$\d+/)
  const query = parts.map((part, at) => sql`${sql.raw(part)}${at < values.length ? sql`${values[at]}` : sql``}`)
  return sql`explain (analyze, format json) ${sql.join(query, sql``)}`
}

async function reseal(): Promise<void> {
  const parts = { db: database.db, random: systemRandomSource }
  for await (const _ of resealValues(parts, keyRing([next, old]), [EVENTS]));
}

test('a walk meets every sealed value of a table in order, and leaves out what is not wanted', async () => {
  const pages: number[] = []
  const organizations: unknown[] = []
  for await (const places of walkSealedValues(database.db, EVENTS)) {
    pages.push(places.length)
    organizations.push(...places.map((place) => place.organization_id))
  }
  expect({ pages, organizations }).toEqual({ pages: [1, 0, 1], organizations: [1, 7] })
  for await (const places of walkSealedValues(database.db, EVENTS, (id) => sql`${id} <> '0'`))
    expect(places).toEqual([])
})

test('no statement of a count, a search or a rotation reads more rows than fit into its time-out', async () => {
  const parts = { db: database.db, clock: new ManualClock() }
  const works = [
    () => countSealedValues(parts.db, [EVENTS]),
    () => findSealingKeys(parts, [EVENTS], (id) => sql`${id} = 'none'`),
    reseal,
  ]
  for (const work of works) {
    const read = await rowsReadBy(work)
    expect(read.length).toBeGreaterThanOrEqual(ROWS / SEALED_WALK_ROWS)
    expect(Math.max(...read)).toBeLessThanOrEqual(SEALED_WALK_ROWS)
  }
  expect(await countSealedValues(parts.db, [EVENTS])).toEqual(new Map([['b', 2]]))
})

test('a walk of an indexed column reads only rows with a value', async () => {
  const indexed: SealedColumn = { ...EVENTS, isIndexed: true }
  const pages: number[] = []
  const read = await rowsReadBy(async () => {
    for await (const places of walkSealedValues(database.db, indexed)) pages.push(places.length)
  })
  expect(pages).toEqual([2])
  // Both, and where the page ends.
  expect(Math.max(...read)).toBe(3)
})

test('a search names the keys of the first values that it meets', async () => {
  const parts = { db: database.db, clock: new ManualClock() }
  expect((await findSealingKeys(parts, [EVENTS], () => sql`true`))?.length).toBe(1)
  expect(await findSealingKeys(parts, [EVENTS], (id) => sql`${id} = 'none'`)).toEqual([])
})
