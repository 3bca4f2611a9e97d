import type { Config } from '../../../server/src/config.ts'
import { type DatabaseFacts, inspectDatabase, openDatabase } from '../../../server/src/database/index.ts'
import { CLOCK_DIFFERENCE_MAX_MS, silentLog } from '../../../server/src/kernel/index.ts'
import { withRemedy } from '../../../server/src/main/start/open-service-database.ts'
import { findDatabase } from './find-database.ts'
import { type Finding, ok, problem, skipped, warning } from './findings.ts'

const OLDEST_VERSION = 15
const CLOCK_WARNING_MS = 2_000

/** Checks the database of DATABASE_URL, or the embedded one while the service runs. Reads only. */
export async function checkDatabase(config: Config): Promise<Finding[]> {
  const { url, reason } = await findDatabase(config)
  return url === undefined ? [skipped(`embedded in ${config.dataDir}: ${reason}`)] : await checkServer(url, config)
}

async function checkServer(url: string, config: Config): Promise<Finding[]> {
  const { db, close } = openDatabase({ url, log: silentLog, max: 2 })
  try {
    return findingsOf(await inspectDatabase(db, Date.now), config)
  } catch (error) {
    // The same sentence as at a start, which ends with the advice.
    const { message } = withRemedy(error) as Error
    const at = message.lastIndexOf('; ')
    if (at < 0) return [problem(`cannot be used: ${message}`, 'check DATABASE_URL')]
    return [problem(`cannot be used: ${message.slice(0, at)}`, `check DATABASE_URL: ${message.slice(at + 2)}`)]
  } finally {
    await close()
  }
}

/** What the facts mean for a service with these settings. */
export function findingsOf(
  facts: DatabaseFacts,
  { databasePoolSize, databaseSyncStandbys }: Pick<Config, 'databasePoolSize' | 'databaseSyncStandbys'>,
): Finding[] {
  return [
    versionOf(facts),
    writableOf(facts),
    migrationsOf(facts),
    sessionsOf(facts),
    connectionsOf(facts, databasePoolSize),
    standbysOf(facts, databaseSyncStandbys),
    clockOf(facts),
    ...lossOf(facts),
  ]
}

function versionOf({ version, roundTripMs }: DatabaseFacts): Finding {
  const major = Math.floor(version / 10_000)
  const name = `PostgreSQL ${major}.${version % 10_000}`
  if (major < OLDEST_VERSION) return problem(`${name} is too old`, `use PostgreSQL ${OLDEST_VERSION} or newer`)
  return ok(`${name} responds in ${Math.round(roundTripMs)} ms`)
}

function writableOf({ mayCreate }: DatabaseFacts): Finding {
  if (!mayCreate) {
    return problem(
      'this user may not create tables, which a new version needs',
      'grant create on schema public to the user of DATABASE_URL',
    )
  }
  return ok('accepts writes, and this user may create tables')
}

function migrationsOf({ migrations: { pending, unknown } }: DatabaseFacts): Finding {
  if (unknown.length > 0 && pending.length === 0) {
    return warning(
      `a newer version migrated it: ${unknown.join(', ')}`,
      'after a rollback, the previous version runs on it (docs/upgrading.md); older versions do not',
    )
  }
  if (unknown.length > 0) {
    return problem(
      `was migrated by a newer version: ${unknown.join(', ')}`,
      'run that version, or restore the backup from before the upgrade',
    )
  }
  if (pending.length === 0) return ok('all migrations are applied')
  const names =
    pending.length > 4 ? `${pending.slice(0, 3).join(', ')} and ${pending.length - 3} more` : pending.join(', ')
  return warning(
    `${pending.length} migrations are pending: ${names}`,
    'the next start applies them, or run `weir migrate`; back up first',
  )
}

function sessionsOf({ keepsSession }: DatabaseFacts): Finding {
  if (keepsSession) return ok('sessions keep their connection: no pooler, or one with pool_mode = session')
  return warning(
    'behind a pooler with pool_mode = transaction: settings of a session reach some connections only',
    'set them for the user, and let the pooler support named prepared statements (docs/high-availability.md)',
  )
}

function connectionsOf({ freeConnections }: DatabaseFacts, needed: number): Finding {
  const message = `${freeConnections} connections are free, and a process uses ${needed} for requests and more for its work`
  if (freeConnections >= needed) return ok(message)
  return warning(message, 'raise max_connections, or lower DATABASE_POOL_SIZE (docs/high-availability.md)')
}

function standbysOf({ isSynchronous, syncStandbys, wasReplicated }: DatabaseFacts, demanded: number): Finding {
  if (demanded === 0 && !isSynchronous) {
    if (!wasReplicated) return ok('one node acknowledges writes, as DATABASE_SYNC_STANDBYS=0 allows')
    const message = 'one node acknowledges writes, and a standby did before'
    return warning(message, 'start the missing standby, or say that it is gone (docs/runbooks/standby-missing.md)')
  }
  if (syncStandbys === undefined) {
    const message = 'this user may not read how many standbys acknowledge writes'
    const remedy = 'grant pg_read_all_stats to the user of DATABASE_URL'
    if (demanded === 0) return warning(message, remedy)
    return problem(`${message}, and DATABASE_SYNC_STANDBYS is ${demanded}: the service does not get ready`, remedy)
  }
  const found = `${syncStandbys} standbys acknowledge writes, DATABASE_SYNC_STANDBYS is ${demanded}`
  if (syncStandbys >= Math.max(demanded, 1) && isSynchronous) return ok(found)
  const remedy = 'start the missing standby, and set synchronous_standby_names (docs/high-availability.md)'
  return demanded > 0 ? problem(found, remedy) : warning(found, remedy)
}

function clockOf({ clockAheadMs }: DatabaseFacts): Finding {
  const off = Math.abs(clockAheadMs)
  const message = `its clock is ${seconds(off)} ${clockAheadMs > 0 ? 'ahead of' : 'behind'} this host's`
  const remedy = 'synchronize both clocks, for example with chrony'
  if (off > CLOCK_DIFFERENCE_MAX_MS) return problem(message, remedy)
  if (off >= CLOCK_WARNING_MS) return warning(message, remedy)
  return ok('its clock agrees with this host')
}

function lossOf({ lostAt }: DatabaseFacts): Finding[] {
  if (lostAt === undefined) return []
  return [
    problem(
      `acknowledged writes were lost, noticed at ${lostAt.toISOString()}`,
      'follow docs/high-availability.md before you trust the ledger',
    ),
  ]
}

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`
