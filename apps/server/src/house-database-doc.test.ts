import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { declaredTables } from '../../../scripts/documents/read-schema.ts'
import { databaseDocument } from '../../../scripts/documents/write-database-doc.ts'
import { testDatabase } from '../testing/index.ts'
import { useFixture } from '../testing/use-fixture.ts'
import { readColumns } from './database/queries/read-columns.ts'

const database = useFixture(testDatabase)

/** Columns that a reader of the database cannot understand by their names alone: money, JSON, secrets, times, states. */
const NEEDS_WORDS = /^(numeric|jsonb|bytea|boolean|timestamp|.*\[\]$)/
const STATES = /(^|_)(state|status|stage|kind|type|scope|reason|mode)$/
/** Every table has these, and they mean what they say. */
const CLEAR = new Set(['created_at', 'updated_at'])

test('docs/database.md shows the tables of the migrated database as they are', async () => {
  const written = readFileSync(new URL('../../../docs/database.md', import.meta.url), 'utf8')
  expect(written, 'run: npm exec -- node scripts/documents/write-database-doc.ts').toBe(
    await databaseDocument(database.db),
  )
})

test('each column of money, JSON, secrets, times or states says what it is', async () => {
  const declared = declaredTables()
  const unexplained = (await readColumns(database.db)).filter(
    ({ table, name, type }) =>
      !CLEAR.has(name) && (NEEDS_WORDS.test(type) || STATES.test(name)) && !declared.get(table)?.get(name)?.comment,
  )
  expect(unexplained.map(({ table, name }) => `${table}.${name}`)).toEqual([])
})
