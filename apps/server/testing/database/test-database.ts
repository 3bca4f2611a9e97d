import { inject } from 'vitest'
import { type OpenDatabase, openDatabase } from '../../src/database/index.ts'
import { silentLog } from '../../src/kernel/index.ts'
import { createDatabase, TEMPLATE } from './databases.ts'

export interface TestDatabase extends OpenDatabase {
  /** For a queue or a second process that opens its own pool on the same database. */
  readonly url: string
}

/** Creates a database with all tables and no rows; `close` drops it. */
export async function testDatabase(): Promise<TestDatabase> {
  const { url, drop } = await createDatabase(inject('postgresUrl'), TEMPLATE)
  const opened = openDatabase({ url, log: silentLog, max: 5 })
  return {
    ...opened,
    url,
    async close() {
      await opened.close()
      await drop()
    },
  }
}

/** Creates a database without tables. */
export function emptyDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  return createDatabase(inject('postgresUrl'), 'template1')
}
