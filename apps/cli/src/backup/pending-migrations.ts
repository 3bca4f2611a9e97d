import { readConfig } from '../../../server/src/config.ts'
import {
  findRunningPostgres,
  listMigrations,
  type MigrationState,
  openDatabase,
} from '../../../server/src/database/index.ts'
import { silentLog } from '../../../server/src/kernel/index.ts'
import { withRemedy } from '../../../server/src/main/start/open-service-database.ts'

/** The migrations that differ between this version and the database of DATABASE_URL, or that of a running sandbox. */
export async function pendingMigrations(env: Readonly<Record<string, string | undefined>>): Promise<MigrationState> {
  const { databaseUrl, dataDir } = readConfig(env)
  const url = databaseUrl ?? (await findRunningPostgres(dataDir))
  if (url === undefined) throw new Error(`the embedded database in ${dataDir} does not run: its next start migrates it`)
  const { db, close } = openDatabase({ url, log: silentLog, max: 1 })
  try {
    return await listMigrations(db)
  } catch (error) {
    throw withRemedy(error)
  } finally {
    await close()
  }
}
