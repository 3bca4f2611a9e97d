import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { databaseDocument } from '../../../scripts/write-database-doc.ts'
import { testDatabase } from '../testing/index.ts'
import { useFixture } from '../testing/use-fixture.ts'

const database = useFixture(testDatabase)

test('docs/database.md shows the tables of the migrated database as they are', async () => {
  const written = readFileSync(new URL('../../../docs/database.md', import.meta.url), 'utf8')
  expect(written, 'run: npm exec -- node scripts/write-database-doc.ts').toBe(await databaseDocument(database.db))
})
