import { sql } from 'kysely'
import {
  type Clock,
  type ClockComparison,
  createOutageLog,
  DATABASE_CHECK_FRESH_MS,
  DATABASE_CHECK_TIMEOUT_MS,
  type Log,
} from '../../kernel/index.ts'
import type { Database } from '../handles.ts'

/** What the last check found. */
export interface DatabaseReport {
  /** A write was acknowledged within the time of a check. */
  readonly isWritable: boolean
  /** Standbys that acknowledge commits; `undefined`: unknown, the user may not read `pg_stat_replication`. */
  readonly syncStandbys: number | undefined
  /** Whether the server waits for standbys at all. */
  readonly isSynchronous: boolean
  /** Whether a standby has ever acknowledged commits; until an operator resets it. */
  readonly wasReplicated: boolean
  /** How often the database moved to another cluster or timeline, or went back in time. */
  readonly epoch: number
  /** When a process noticed that acknowledged writes are gone; until an operator resets it. */
  readonly lostAt: Date | undefined
}

/** Whether the database takes writes, keeps them on several nodes, and still has those that it acknowledged. */
export interface DatabaseHealth {
  /** A recent report: checks that arrive together, or shortly after one, share its result. */
  check(): Promise<DatabaseReport>
  /** The last report, without waiting; `undefined` before the first one. */
  readonly last: DatabaseReport | undefined
}

interface BeatRow {
  readonly beat: number
  readonly epoch: number
  readonly lost_at: Date | null
  readonly is_synchronous: boolean
  readonly was_replicated: boolean
  readonly standbys: number | null
  readonly time: Date
}

const UNREACHABLE = { isWritable: false, syncStandbys: undefined, isSynchronous: false } as const

/**
 * Each check is one acknowledged write: it fails on a standby, a full disk, a commit that waits for a missing standby. At
 * most one runs at a time, so that a database that hangs holds one connection, not all.
 */
export function createDatabaseHealth(parts: {
  readonly db: Database
  readonly log: Log
  readonly clock: Clock
  /** How long a report is shared; in milliseconds. */
  readonly freshMs?: number
  /** What to compare with the database's clock. */
  readonly clocks?: ClockComparison | undefined
}): DatabaseHealth {
  const { db, log, clock, freshMs = DATABASE_CHECK_FRESH_MS, clocks } = parts
  const outage = createOutageLog(log, {
    away: 'the database acknowledges no writes',
    back: 'the database acknowledges writes again',
  })
  let running: Promise<DatabaseReport> | undefined
  let last: DatabaseReport | undefined
  let freshUntil = 0
  let remembered = 0

  async function beat(): Promise<DatabaseReport> {
    const sentMs = performance.now()
    const row = await readBeat(db)
    clocks?.heard(row.time, sentMs)
    if (row.beat <= remembered) {
      const { rows } = await sql<{ begun: number | null }>`
        select note_loss(${remembered}, ${clock.now()}) as begun
      `.execute(db)
      log.error(
        { remembered, found: row.beat, epoch: rows[0]?.begun },
        'the database has gone back in time: acknowledged writes are lost (docs/high-availability.md)',
      )
      return reportOf(await readBeat(db))
    }
    return reportOf(row)
  }

  function reportOf(row: BeatRow): DatabaseReport {
    remembered = Math.max(remembered, row.beat)
    return {
      isWritable: true,
      syncStandbys: row.standbys ?? undefined,
      isSynchronous: row.is_synchronous,
      wasReplicated: row.was_replicated,
      epoch: row.epoch,
      lostAt: row.lost_at ?? undefined,
    }
  }

  function record(report: DatabaseReport, reason?: unknown): DatabaseReport {
    if (report.isWritable) outage.recovered()
    else outage.failed({ err: reason })
    last = report
    freshUntil = performance.now() + freshMs
    return report
  }

  const unreachable = (): DatabaseReport => ({
    ...UNREACHABLE,
    wasReplicated: last?.wasReplicated ?? false,
    epoch: last?.epoch ?? 0,
    lostAt: last?.lostAt,
  })

  function begin(): Promise<DatabaseReport> {
    // A new check begins when this one ends, however long that takes; callers do not wait for it.
    running = beat()
      .then(
        (report) => record(report),
        (error: unknown) => record(unreachable(), error),
      )
      .finally(() => {
        running = undefined
      })
    return inTime(running, () => record(unreachable()))
  }

  return {
    get last() {
      return last
    },
    async check() {
      if (last !== undefined && performance.now() < freshUntil) return last
      if (running === undefined) return await begin()
      return await inTime(running, unreachable)
    },
  }
}

async function readBeat(db: Database): Promise<BeatRow> {
  const { rows } = await sql<BeatRow>`
    update database_history set beat = beat + 1,
      -- A user who may not see the standbys relies on the server, which acknowledges nothing without one.
      was_replicated = was_replicated or (server.is_synchronous and server.standbys is distinct from 0)
    from (
      select current_setting('synchronous_standby_names') <> ''
          and current_setting('synchronous_commit') not in ('off', 'local') as is_synchronous,
        case when pg_has_role(current_user, 'pg_read_all_stats', 'usage') then
          (select count(*) from pg_stat_replication where sync_state in ('sync', 'quorum')) end as standbys
    ) server
    returning beat, epoch, lost_at, clock_timestamp() as time, was_replicated, is_synchronous, standbys
  `.execute(db)
  return rows[0]!
}

async function inTime<T>(work: Promise<T>, late: () => T): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<T>((resolve) => {
    timer = setTimeout(() => resolve(late()), DATABASE_CHECK_TIMEOUT_MS)
  })
  try {
    return await Promise.race([work, limit])
  } finally {
    clearTimeout(timer)
  }
}
