import { inject } from 'vitest'
import { type OpenDatabase, openDatabase } from '../src/database/index.ts'
import { silentLog } from '../src/kernel/index.ts'
import { createDatabase, TEMPLATE } from './databases.ts'

export interface TestDatabase extends OpenDatabase {
  /** For whoever opens a pool of its own on the same database: a queue, a second process. */
  readonly url: string
}

/** A database of the test's own with all tables and no rows; `close` drops it. */
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

/** A database without any table, for what starts from nothing. */
export function emptyDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  return createDatabase(inject('postgresUrl'), 'template1')
}
