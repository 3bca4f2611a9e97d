import { sql } from 'kysely'
import { openDatabase } from '../src/database/index.ts'
import { runMigrationSteps } from '../src/database/migrating/run-migration-steps.ts'
import { index, statement } from '../src/database/migration-steps.ts'
import { silentLog } from '../src/kernel/index.ts'

let round = 0

/**
 * Runs a migration with the steps that later releases use, through the code that runs theirs, and undoes it: an index on a
 * table that every request writes, and a column.
 */
export async function migrateUnderLoad(url: string): Promise<void> {
  round += 1
  const name = `rehearsal_${round}`
  const { db, close } = openDatabase({ url, log: silentLog, max: 1 })
  try {
    await db.connection().execute(async (connection) => {
      await sql`set statement_timeout = 0`.execute(connection)
      await runMigrationSteps(connection, silentLog, {
        [name]: [
          statement(`alter table operations add column if not exists ${name} text`),
          index(`${name}_operations`, `operations (organization_id, ${name}, id)`),
          index(`${name}_outbox`, 'outbox (organization_id, event, id)'),
        ],
      })
      await sql.raw(`drop index concurrently ${name}_outbox`).execute(connection)
      await sql.raw(`set lock_timeout = '2s'`).execute(connection)
      await sql.raw(`alter table operations drop column ${name}`).execute(connection)
    })
  } finally {
    await close()
  }
}
