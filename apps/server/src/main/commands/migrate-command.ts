import { ConfigError, readConfig } from '../../config.ts'
import { createLog } from '../../kernel/index.ts'
import { openServiceDatabase } from '../start/open-service-database.ts'

/** Applies the migrations that are missing to the database of DATABASE_URL, as the start does. */
export async function migrateDatabase(
  env: Readonly<Record<string, string | undefined>>,
  args: readonly string[],
  say: (line: string) => void,
): Promise<void> {
  if (args.length > 0) throw new Error('migrate takes no arguments')
  const { databaseUrl: url, logLevel, logFormat } = readConfig(env)
  if (url === undefined)
    throw new ConfigError(['DATABASE_URL must be set: the embedded database is migrated when the service starts'])
  const { close } = await openServiceDatabase({ url, log: createLog(logLevel, logFormat), max: 2 }, () => {})
  await close()
  say('the database is at this version')
}
