import { databaseUrl } from './database-url.ts'
import { secret, setting } from './define-setting.ts'
import { wholeNumber } from './setting-parsers.ts'

/**
 * In milliseconds; undefined: forever. At least a week: receivers that are down for days must find what they missed, and a
 * webhook is disabled after three.
 */
const eventsRetention = (text: string): number | undefined => {
  const days = wholeNumber(0, 36_500)(text)
  if (days > 0 && days < 7) throw new RangeError('must be 0 or at least 7')
  return days === 0 ? undefined : days * 86_400_000
}

/** The database's address, what Weir requires of the database, and how long it keeps events. */
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
  eventsRetentionMs: setting(
    'EVENTS_RETENTION_DAYS',
    '30',
    eventsRetention,
    'Days after which events and webhook deliveries are deleted, at least 7: until then they can be listed, streamed and replayed (docs/operating.md). 0: never',
  ),
} as const
