import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import {
  createOutageLog,
  type Log,
  MIGRATION_IDLE_SECONDS,
  MIGRATION_LOCK_TIMEOUT_MS,
  MIGRATION_POLL_MS,
  MIGRATION_RETRY_MS,
  MIGRATION_TRIES_MAX,
  withCleanup,
} from '../../kernel/index.ts'
import type { Database } from '../handles.ts'
import type { DropIndexStep, IndexStep, MigrationStep } from '../migration-steps.ts'
import { boundRows, type LockedWork, partitionTable } from '../partition-table.ts'
import { sqlStateOf } from '../queries/sql-state.ts'

/** Migrations by name, in order. */
export type SteppedMigrations = Readonly<Record<string, readonly MigrationStep[]>>

/** How often and how patiently a step waits for its locks. */
export interface LockTimeouts {
  readonly timeoutMs: number
  /** How long a transaction may wait for its process before the database ends its session. */
  readonly idleMs: number
  readonly tries: number
  /** The pause after the first try; it doubles up to the longest one. */
  readonly pauseMs: number
  readonly longestPauseMs: number
}

const LOCK_TIMEOUTS: LockTimeouts = {
  timeoutMs: MIGRATION_LOCK_TIMEOUT_MS,
  idleMs: MIGRATION_LOCK_TIMEOUT_MS,
  tries: MIGRATION_TRIES_MAX,
  pauseMs: MIGRATION_RETRY_MS.first,
  longestPauseMs: MIGRATION_RETRY_MS.longest,
}

/** Held by the process that runs steps. */
const LOCK = sql`hashtextextended('weir migration steps', 0)`

/**
 * Runs the steps that were not applied yet, in order, one at a time, while other processes serve. `connection` is one
 * connection without time-outs. Of several processes one runs them. The others wait between statements instead of in
 * one: building an index waits for every statement that began before.
 *
 * Throws 55P03 when a step did not get its lock within its tries; the steps before it stay applied.
 */
export async function runMigrationSteps(
  connection: Database,
  log: Log,
  migrations: SteppedMigrations,
  lockTimeouts: LockTimeouts = LOCK_TIMEOUTS,
): Promise<void> {
  if (await areStepsApplied(connection, migrations)) return
  // A process that freezes between two steps loses its session, and another one continues.
  await sql.raw(`set idle_session_timeout = '${MIGRATION_IDLE_SECONDS}s'`).execute(connection)
  await withCleanup(
    () => runMissing(connection, log, migrations, lockTimeouts),
    async () => {
      await sql`select pg_advisory_unlock(${LOCK})`.execute(connection)
      await sql`reset idle_session_timeout`.execute(connection)
    },
  )
}

async function runMissing(
  connection: Database,
  log: Log,
  migrations: SteppedMigrations,
  lockTimeouts: LockTimeouts,
): Promise<void> {
  while (!(await takeLock(connection))) await pause(MIGRATION_POLL_MS)
  await createRecord(connection)
  for (const [migration, steps] of Object.entries(migrations)) {
    for (const [step, one] of steps.entries()) {
      if (await isApplied(connection, migration, step)) continue
      const record = (on: Database) =>
        on
          .insertInto('migration_steps')
          .values({ migration, step })
          .execute()
          .then(() => undefined)
      await runStep(connection, one, { record, lockTimeouts, log, migration })
      log.info({ migration, step }, 'migrated')
    }
  }
}

/** Whether every step was applied, in one cheap statement. */
export async function areStepsApplied(db: Database, migrations: SteppedMigrations): Promise<boolean> {
  const expected = Object.entries(migrations).flatMap(([migration, steps]) => steps.map((_, step) => [migration, step]))
  try {
    const { rows } = await sql<{ applied: number }>`
      select count(*)::integer as applied from migration_steps
      where (migration, step) in (select * from unnest(
        ${expected.map(([migration]) => migration)}::text[], ${expected.map(([, step]) => step)}::integer[]))
    `.execute(db)
    return rows[0]?.applied === expected.length
  } catch (error) {
    if (sqlStateOf(error) === '42P01') return false
    throw error
  }
}

async function takeLock(connection: Database): Promise<boolean> {
  const { rows } = await sql<{ is_held: boolean }>`select pg_try_advisory_lock(${LOCK}) as is_held`.execute(connection)
  return rows[0]?.is_held === true
}

async function createRecord(connection: Database): Promise<void> {
  await sql`
    create table if not exists migration_steps (
      migration text not null,
      step integer not null,
      applied_at timestamptz not null default now(),
      primary key (migration, step)
    )
  `.execute(connection)
}

async function isApplied(connection: Database, migration: string, step: number): Promise<boolean> {
  const rows = await connection
    .selectFrom('migration_steps')
    .select('step')
    .where('migration', '=', migration)
    .where('step', '=', step)
    .execute()
  return rows.length > 0
}

/** A build that was interrupted leaves an invalid index, which costs writes and serves no read: it is built again. */
async function buildIndex(
  connection: Database,
  { name, isUnique, definition }: IndexStep,
  record: (on: Database) => Promise<void>,
): Promise<void> {
  const { rows } = await sql<{ is_valid: boolean }>`
    select indisvalid as is_valid from pg_index where indexrelid = to_regclass(${name})
  `.execute(connection)
  if (rows[0]?.is_valid === false) await sql.raw(`drop index concurrently ${name}`).execute(connection)
  if (rows[0]?.is_valid !== true) {
    const text = `create ${isUnique ? 'unique ' : ''}index concurrently ${name} on ${definition}`
    await sql.raw(text).execute(connection)
  }
  await record(connection)
}

async function removeIndex(
  connection: Database,
  { name }: DropIndexStep,
  record: (on: Database) => Promise<void>,
): Promise<void> {
  await sql.raw(`drop index concurrently if exists ${name}`).execute(connection)
  await record(connection)
}

interface StepRun {
  readonly record: (on: Database) => Promise<void>
  readonly lockTimeouts: LockTimeouts
  readonly log: Log
  readonly migration: string
}

async function runStep(connection: Database, step: MigrationStep, run: StepRun): Promise<void> {
  const { record } = run
  const locked: LockedWork = (work) => runLocked(connection, work, run)
  if (step.kind === 'index') await buildIndex(connection, step, record)
  else if (step.kind === 'drop index') await removeIndex(connection, step, record)
  else if (step.kind === 'bound') await boundRows(connection, step, { locked, record })
  else if (step.kind === 'partition') await partitionTable(step, { locked, record })
  else {
    await locked(async (tx) => {
      await sql.raw(step.text).execute(tx)
      await record(tx)
    })
  }
}

/**
 * A statement that waits for an exclusive lock makes all later ones wait. So it gives up soon, lets them pass, and
 * tries again.
 */
async function runLocked(
  connection: Database,
  work: (tx: Database) => Promise<void>,
  { lockTimeouts, log, migration }: StepRun,
): Promise<void> {
  const outage = createOutageLog(log, {
    away: 'a migration step could not get its lock; retrying',
    back: 'a migration step got its lock',
  })
  for (
    let tries = 1, wait = lockTimeouts.pauseMs;
    ;
    tries += 1, wait = Math.min(2 * wait, lockTimeouts.longestPauseMs)
  ) {
    try {
      await connection.transaction().execute(async (tx) => {
        await sql.raw(`set local lock_timeout = ${lockTimeouts.timeoutMs}`).execute(tx)
        await sql.raw(`set local idle_in_transaction_session_timeout = ${lockTimeouts.idleMs}`).execute(tx)
        await work(tx)
      })
      return outage.recovered({ migration })
    } catch (error) {
      if (!['55P03', '40P01'].includes(sqlStateOf(error)) || tries >= lockTimeouts.tries) throw error
      outage.failed({ migration })
      await pause(wait)
    }
  }
}
