// Also tested in: system/attacks/erasure.test.ts (over HTTP), identity/organizations/erase-organization.test.ts.

import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { personalRows } from '../../../testing/identity/personal-rows.ts'
import type { RampClient } from '../../../testing/ramp/ramp-client.ts'
import { openRampDatabase } from '../../../testing/ramp/ramp-database.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { contentLabel } from '../../changes/requests/change-request.ts'
import { ERASED_COLUMNS, IMPERSONAL_COLUMNS, KEPT_COLUMNS, SWEPT_COLUMNS } from '../../database/index.ts'
import { type ErasureStep, eraseOrganization, requestErasureOfDeleted, verifyAuditLogs } from '../../identity/index.ts'
import { createSealer, silentLog, systemRandomSource } from '../../kernel/index.ts'
import { erasureSteps } from './organization-erasure.ts'

const fixture = useFixture(openRampDatabase)

const sealer = createSealer('ab'.repeat(32), 'change requests', systemRandomSource)
const steps = erasureSteps({ sealer })
const erase = (organizationId: number, withSteps: readonly ErasureStep[] = steps) =>
  eraseOrganization({ ...fixture.parts, log: silentLog, steps: withSteps }, organizationId)

/** An organization with something in every personal column, deleted. */
async function deletedOrganization(mark: string): Promise<RampClient> {
  const client = await fixture.organization({ name: `${mark} Ltd` })
  const { customerId } = await client.recipient({ name: `${mark} Mustermann` })
  await client.offramp(customerId)
  await personalRows(fixture.parts.db, {
    organizationId: client.organizationId,
    mark,
    at: fixture.clock.now(),
    sealChange: (id, text) => sealer.seal(text, contentLabel(client.organizationId, id)),
  })
  await fixture.parts.db
    .updateTable('organizations')
    .set({ deleted_at: fixture.clock.now() })
    .where('id', '=', client.organizationId)
    .execute()
  await requestErasureOfDeleted(fixture.parts, client.organizationId)
  return client
}

/** The columns in which a mark can be read, as text or as bytes. */
async function columnsWith(mark: string): Promise<string[]> {
  const { db } = fixture.parts
  const found: string[] = []
  for (const [table, column] of await textColumns()) {
    const { rows } = await sql<{ found: boolean }>`
      select exists (select 1 from ${sql.table(table)} where ${sql.ref(column)}::text ilike ${`%${mark}%`}
        or ${sql.ref(column)}::text like ${`%${Buffer.from(mark).toString('hex')}%`}) as found
    `.execute(db)
    if (rows[0]?.found) found.push(`${table}.${column}`)
  }
  return found
}

/** Columns that hold more than numbers, times and flags. */
async function textColumns(): Promise<[table: string, column: string][]> {
  const { rows } = await sql<{ table: string; column: string }>`
    select c.table_name as table, c.column_name as column from information_schema.columns c
    join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.table_name not like 'kysely%'
      and c.table_name not like 'rate_limit%'
      and c.data_type not in ('bigint', 'integer', 'smallint', 'numeric', 'boolean', 'double precision', 'date',
        'timestamp with time zone')
      and c.udt_name not in ('_int8', '_timestamptz')
    order by 1, 2
  `.execute(fixture.parts.db)
  return rows.map(({ table, column }) => [table, column])
}

const namesOf = (columns: typeof ERASED_COLUMNS) =>
  Object.entries(columns).flatMap(([table, of]) => Object.keys(of).map((column) => `${table}.${column}`))

test('every column that can hold personal data says what becomes of it', async () => {
  const columns = (await textColumns()).map(([table, column]) => `${table}.${column}`)
  const impersonal = Object.entries(IMPERSONAL_COLUMNS).flatMap(([table, names]) =>
    names.split(' ').map((column) => `${table}.${column}`),
  )
  const classified = [...[ERASED_COLUMNS, SWEPT_COLUMNS, KEPT_COLUMNS].flatMap(namesOf), ...impersonal]
  expect(classified.toSorted()).toEqual(columns.toSorted())
})

test('an erasure empties every column that it promises to empty, whatever step it dies in, and no other organization', async () => {
  const other = await deletedOrganization('neighbour')
  const { organizationId } = await deletedOrganization('zaphod')
  const promised = new Set(namesOf(ERASED_COLUMNS))
  expect(await columnsWith('zaphod')).toEqual([...promised].filter((name) => !UNMARKED.has(name)).toSorted())
  const neighbours = await columnsWith('neighbour')
  for (const [at, { name }] of steps.entries()) {
    const dying = steps.map((step, position): ErasureStep => {
      if (position !== at) return step
      return {
        name,
        async erase(tx, organization) {
          await step.erase(tx, organization)
          throw new Error('killed')
        },
      }
    })
    await expect(erase(organizationId, dying)).rejects.toThrow('killed')
  }
  const { finishedAt, erased } = await erase(organizationId)
  expect(finishedAt).toEqual(fixture.clock.now())
  expect(Object.entries(erased).filter(([, rows]) => rows === 0)).toEqual([])
  expect(Object.keys(erased).toSorted()).toEqual(steps.map(({ name }) => name).toSorted())
  expect(await columnsWith('zaphod')).toEqual([])
  expect(await columnsWith('neighbour')).toEqual(neighbours)
  expect((await erase(organizationId)).erased).toEqual(erased)
  expect(other.organizationId).not.toBe(organizationId)
  for await (const verdict of verifyAuditLogs(fixture.parts.db, []))
    if (verdict.organizationId === organizationId) expect(verdict.broken).toBeUndefined()
})

/** Sealed, hashed or written by older versions only: none of them can be recognized. */
const UNMARKED = new Set(
  [...namesOf(ERASED_COLUMNS)].filter((name) =>
    /^ramp_|^change_requests\.content$|^outbox\.personal$|^users\.password_hash$/.test(name),
  ),
)
