import { databaseUrl } from './database-url.ts'
import { secret, setting } from './define-setting.ts'
import { wholeNumber } from './setting-parsers.ts'

/** Where the database is, and what is demanded of it. */
export const DATABASE_SETTINGS = {
  databaseUrl: secret(
    'DATABASE_URL',
    databaseUrl,
    'PostgreSQL 15 or newer, `postgres://user:password@host:5432/name`. Several servers are separated by commas, `host1:5432,host2:5432`: the first one that accepts writes is used. Unset: the embedded database. Required in live',
  ),
  databasePoolSize: setting(
    'DATABASE_POOL_SIZE',
    '10',
    wholeNumber(2, 1_000),
    'Connections of a process to the database for its requests and work; a few more watch and hold locks (docs/high-availability.md)',
  ),
  databaseSyncStandbys: setting(
    'DATABASE_SYNC_STANDBYS',
    '0',
    wholeNumber(0, 100),
    'Synchronous standbys that PostgreSQL must have: with fewer, the service is not ready and refuses writes (docs/high-availability.md). 0: none are demanded',
  ),
} as const
