import { readConfig } from '../../config.ts'
import {
  type Database,
  findRunningPostgres,
  migrationsApplied,
  openDatabase,
  startEmbeddedPostgres,
} from '../../database/index.ts'
import { silentLog } from '../../kernel/index.ts'
import { attributeToSetting } from '../start/attribute-to-setting.ts'
import { withRemedy } from '../start/open-service-database.ts'

/**
 * Runs a host command on the service's database: that of DATABASE_URL, or the one under DATA_DIR, which is started if
 * the service does not run. Throws if the database is not of this version.
 */
export async function withDatabase<T>(
  env: Readonly<Record<string, string | undefined>>,
  work: (db: Database) => Promise<T>,
): Promise<T> {
  const { databaseUrl, dataDir } = readConfig(env)
  if (databaseUrl !== undefined) return await workAt(databaseUrl, work)
  const running = await findRunningPostgres(dataDir)
  if (running !== undefined) return await workAt(running, work)
  const embedded = await startEmbeddedPostgres({ dataDir, log: silentLog })
  try {
    return await workAt(embedded.url, work)
  } finally {
    await embedded.stop()
  }
}

async function workAt<T>(url: string, work: (db: Database) => Promise<T>): Promise<T> {
  const { db, close } = openDatabase({ url, log: silentLog, max: 1 })
  try {
    if (!(await attributeToSetting('DATABASE_URL', () => isOfThisVersion(db)))) {
      throw new Error('the database is at a different version: start the service on it first')
    }
    return await work(db)
  } finally {
    await close()
  }
}

async function isOfThisVersion(db: Database): Promise<boolean> {
  try {
    return await migrationsApplied(db)
  } catch (error) {
    throw withRemedy(error)
  }
}
