import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../../../server/src/config.ts'
import { findRunningPostgres } from '../../../server/src/database/index.ts'

/** The database of DATABASE_URL, or the embedded one while the service runs; without a url, `reason` says why. */
export async function findDatabase({
  databaseUrl,
  dataDir,
}: Pick<Config, 'databaseUrl' | 'dataDir'>): Promise<{ readonly url?: string; readonly reason: string }> {
  if (databaseUrl !== undefined) return { url: databaseUrl, reason: '' }
  if (!existsSync(join(dataDir, 'postgres', 'data'))) return { reason: 'the first start creates it' }
  // Without the lock file no service runs; asking for the lock would create it.
  const running = existsSync(join(dataDir, 'weir.lock')) ? await findRunningPostgres(dataDir) : undefined
  if (running !== undefined) return { url: running, reason: '' }
  return { reason: 'it runs only with the service; check again while that runs' }
}
