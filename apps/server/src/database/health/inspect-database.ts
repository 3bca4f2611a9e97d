import { sql } from 'kysely'
import { certainDifferenceMs, clockDifference } from '../../kernel/index.ts'
import type { Database } from '../handles.ts'
import { listMigrations, type MigrationState } from '../migrating/list-migrations.ts'

/** What an operator must know about a database. */
export interface DatabaseFacts {
  /** Such as 150004. */
  readonly version: number
  /** Whether this user may create tables, which migrations do. */
  readonly mayCreate: boolean
  /** Whether a session keeps its connection to the server; false behind a pooler with `pool_mode = transaction`. */
  readonly keepsSession: boolean
  /** Whether commits wait for standbys, and for how many at the moment; undefined: the user may not read that. */
  readonly isSynchronous: boolean
  readonly syncStandbys: number | undefined
  /** Whether a standby has ever acknowledged commits; until an operator resets it. */
  readonly wasReplicated: boolean
  /** When a process noticed that acknowledged writes are gone; until an operator resets it. */
  readonly lostAt: Date | undefined
  /** How far the server's clock is certainly ahead of this machine's, in milliseconds; negative: behind. */
  readonly clockAheadMs: number
  readonly roundTripMs: number
  /** Connections that the server still accepts, of all users. */
  readonly freeConnections: number
  readonly migrations: MigrationState
}

interface Row {
  readonly version: number
  readonly may_create: boolean
  readonly is_synchronous: boolean
  readonly standbys: number | null
  readonly time: Date
  readonly free: number
}

/**
 * Reads the facts and changes nothing. Needs a pool of two connections or more, which connects to no server that refuses
 * writes. `now` is in milliseconds since 1970.
 */
export async function inspectDatabase(db: Database, now: () => number): Promise<DatabaseFacts> {
  // Connects first: what follows measures one round trip.
  await sql`select 1`.execute(db)
  const began = now()
  const row = await readFacts(db)
  const ended = now()
  return {
    version: row.version,
    mayCreate: row.may_create,
    keepsSession: await keepsSession(db),
    isSynchronous: row.is_synchronous,
    syncStandbys: row.standbys ?? undefined,
    ...(await readHistory(db)),
    clockAheadMs: -certainDifferenceMs(clockDifference(began, ended, row.time)),
    roundTripMs: ended - began,
    freeConnections: row.free,
    migrations: await listMigrations(db),
  }
}

async function readFacts(db: Database): Promise<Row> {
  const { rows } = await sql<Row>`
    select current_setting('server_version_num')::int as version,
      coalesce(has_schema_privilege(current_schema(), 'CREATE'), false) as may_create,
      current_setting('synchronous_standby_names') <> ''
        and current_setting('synchronous_commit') not in ('off', 'local') as is_synchronous,
      case when pg_has_role(current_user, 'pg_read_all_stats', 'usage') then
        (select count(*) from pg_stat_replication where sync_state in ('sync', 'quorum')) end as standbys,
      clock_timestamp() as time,
      current_setting('max_connections')::int - (select count(*)::int from pg_stat_activity
        where backend_type = 'client backend') as free
  `.execute(db)
  return rows[0]!
}

/** Two sessions at once: a pooler that lends a connection per transaction gives the first session another one. */
async function keepsSession(db: Database): Promise<boolean> {
  const pidOf = async (session: Database) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(session)
    return rows[0]!.pid
  }
  return await db.connection().execute(async (session) => {
    const before = await pidOf(session)
    return await db.transaction().execute(async (other) => {
      await pidOf(other)
      return (await pidOf(session)) === before
    })
  })
}

/** A database that is not migrated yet lacks the table or a column. */
async function readHistory(db: Database): Promise<Pick<DatabaseFacts, 'lostAt' | 'wasReplicated'>> {
  const { rows } = await sql<{ found: boolean }>`
    select to_regclass('database_history') is not null as found
  `.execute(db)
  if (!rows[0]!.found) return { lostAt: undefined, wasReplicated: false }
  const history = await sql<{ lost_at: Date | null; was_replicated?: boolean }>`
    select * from database_history
  `.execute(db)
  const [row] = history.rows
  return { lostAt: row?.lost_at ?? undefined, wasReplicated: row?.was_replicated ?? false }
}
