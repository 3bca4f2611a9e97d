import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { databaseDocument } from '../../../scripts/write-database-doc.ts'
import { type TestDatabase, testDatabase } from '../testing/index.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database?.close())

test('docs/database.md shows the tables of the migrated database as they are', async () => {
  const written = readFileSync(new URL('../../../docs/database.md', import.meta.url), 'utf8')
  expect(written, 'run: npm exec -- node scripts/write-database-doc.ts').toBe(await databaseDocument(database.db))
})
