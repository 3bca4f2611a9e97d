import { hostname } from 'node:os'
import type pg from 'pg'
import { JOB_LEASE_STATEMENT_TIMEOUT_MS, WORKERS_KEPT_SECONDS } from '../../kernel/index.ts'
import { createSession } from '../connections/create-session.ts'
import type { JobProgress } from '../schema/database.ts'

/** A process that runs periodic work, as the others see it. */
export interface Worker {
  readonly id: number
  readonly name: string
  readonly jobs: Readonly<Record<string, string>>
  /** See `JobCandidate`. */
  readonly resting: readonly string[] | null
  readonly progress: Readonly<Record<string, JobProgress>>
}

/** What a process says of itself when it renews. */
export interface WorkerReport {
  /** The jobs that it can run, each with its group. */
  readonly jobs: Readonly<Record<string, string>>
  readonly resting: readonly string[]
  readonly progress: Readonly<Record<string, JobProgress>>
}

export interface HeldJob {
  readonly job: string
  /** Null: nobody. A process that is not among the workers is gone. */
  readonly workerId: number | null
  readonly token: number
  readonly since: Date
}

/** Who shares the work, and who does what. */
export interface WorkSnapshot {
  readonly workers: readonly Worker[]
  readonly leases: readonly HeldJob[]
}

/**
 * The place of this process among those that share the work, on a connection of its own. Any statement that fails or
 * takes too long ends the connection, and the place with it.
 */
export interface LeaseSession {
  readonly workerId: number
  /** The host and the process id. */
  readonly name: string
  /**
   * Renews every lease of this process, and returns who does what, and the database's time; undefined when its place is
   * gone. Wakes the other processes when the jobs changed, or those that rest.
   */
  renew(report: WorkerReport): Promise<(WorkSnapshot & { readonly time: Date }) | undefined>
  /** Takes jobs that nobody holds, or whose holder is gone. Returns the tokens of those it got. */
  claim(jobs: readonly string[]): Promise<ReadonlyMap<string, number>>
  /** Releases jobs, and wakes the other processes. */
  release(jobs: readonly string[]): Promise<void>
  /** Gives up the place with every lease, wakes the other processes and ends the connection. */
  leave(): Promise<void>
  /** Ends the connection at once, without a statement. */
  destroy(): void
}

export interface LeaseSessionOptions {
  readonly databaseUrl: string
  readonly leaseMs: number
  /** The worker id of an earlier connection of this process, which this one removes. */
  readonly replaces: number | undefined
  /** Another process joined, left or released a job. */
  readonly onChange: () => void
  /** The connection ended. Called once, even after `destroy` and `leave`. */
  readonly onGone: (error: Error | undefined) => void
}

/** Distinguishes our advisory locks from others. */
const LOCK_CLASS = 87_343_719
const CHANNEL = 'weir_workers'

/**
 * A process is alive while it renews and its connection holds its advisory lock. The lock ends with the process, and so
 * a killed one is replaced at once; the expiry ends the place of one that hangs or is cut off.
 */
const IS_ALIVE = `w.expires_at > clock_timestamp() and exists (
  select from pg_locks l
  where l.locktype = 'advisory' and l.classid = ${LOCK_CLASS} and l.objid = w.id and l.objsubid = 2 and l.granted
    and l.database = (select oid from pg_database where datname = current_database()))`

/**
 * A process of version 0.1 runs the jobs whose advisory locks it can take. The holder of a lease takes that lock too.
 * Locks of holders do not count here: leases decide among newer processes.
 */
const LOCK_OF_JOB = `hashtextextended('weir periodic ' || job, 0)`
const IS_LOCKED = `exists (
  select from pg_locks l
  where l.locktype = 'advisory' and l.objsubid = 1 and l.granted
    and l.database = (select oid from pg_database where datname = current_database())
    and (l.classid::bigint << 32 | l.objid::bigint) = ${LOCK_OF_JOB}
    and not exists (select from pg_locks own
      where own.pid = l.pid and own.locktype = 'advisory' and own.classid = ${LOCK_CLASS} and own.objsubid = 2))`

const JOIN = `
  with gone as (
    delete from workers where id = $3 or expires_at < clock_timestamp() - make_interval(secs => $4)
  ), joined as (
    insert into workers (name, started_at, expires_at, jobs, progress, resting)
    values ($1, clock_timestamp(), clock_timestamp() + make_interval(secs => $2), '{}', '{}', '{}')
    returning id
  )
  select id, pg_advisory_lock(${LOCK_CLASS}, id) from joined`

const RENEW = `
  with before as (
    select jobs, resting from workers where id = $1
  ), renewed as (
    update workers set expires_at = clock_timestamp() + make_interval(secs => $2), jobs = $3, progress = $4,
      resting = $5::text[]
    where id = $1 returning id
  )
  select clock_timestamp() as time,
    (select jsonb_agg(jsonb_build_object('id', w.id, 'name', w.name,
        'jobs', case when w.id = $1 then $3 else w.jobs end,
        'resting', case when w.id = $1 then $5::text[] else w.resting end,
        'progress', case when w.id = $1 then $4 else w.progress end))
      from workers w where w.id = $1 or (${IS_ALIVE})) as workers,
    (select jsonb_agg(jsonb_build_object('job', job, 'workerId', worker_id, 'token', token, 'since', since))
      from job_leases) as leases,
    (select pg_notify('${CHANNEL}', '') from before where jobs <> $3 or resting <> $5::text[])
  from renewed`

/** A lease that a transaction of its holder has locked is skipped: it is free once that transaction ends. */
const CLAIM = `
  with wanted as (
    select job from unnest($2::text[]) as wanted (job) where not ${IS_LOCKED}
  ), free as (
    select job from job_leases j
    where job in (select job from wanted)
      and (worker_id is null or worker_id = $1
        or not exists (select from workers w where w.id = j.worker_id and ${IS_ALIVE}))
    for update skip locked
  ), taken as (
    update job_leases j set worker_id = $1, token = j.token + 1, since = clock_timestamp()
    from free where j.job = free.job returning j.job, j.token
  ), added as (
    insert into job_leases (job, worker_id, token, since)
    select job, $1, 1, clock_timestamp() from wanted
    where job not in (select job from job_leases)
    on conflict (job) do nothing returning job, token
  )
  select job, token, pg_try_advisory_lock(${LOCK_OF_JOB}) as is_locked
  from (select job, token from taken union all select job, token from added) claimed`

const LOCKED_BY_EARLIER_VERSION = `select job from unnest($1::text[]) as wanted (job) where ${IS_LOCKED}`

const RELEASE = `
  with released as (
    update job_leases set worker_id = null where worker_id = $1 and ($2::text[] is null or job = any($2)) returning job
  ), gone as (delete from workers where id = $1 and $2::text[] is null)
  select pg_notify('${CHANNEL}', ''), (select count(pg_advisory_unlock(${LOCK_OF_JOB})) from released)`

export async function openLeaseSession({
  databaseUrl,
  leaseMs,
  replaces,
  onChange,
  onGone,
}: LeaseSessionOptions): Promise<LeaseSession> {
  const client = createSession({ url: databaseUrl, name: 'weir leases' })
  let isGone = false
  const gone = (error?: Error): void => {
    if (isGone) return
    isGone = true
    onGone(error)
  }
  // Ending it politely could wait for a server that no longer responds.
  const destroy = (): void => {
    client.connection.stream.destroy()
    gone()
  }
  client.on('error', gone)
  client.on('end', () => gone())
  // A connection runs one statement at a time.
  let last: Promise<unknown> = Promise.resolve()
  const run = (text: string, values: readonly unknown[] = []): Promise<pg.QueryResult> => {
    const running = last.then(async () => {
      const late = setTimeout(() => {
        // Or a process that joins would leave one waiting process of PostgreSQL with each attempt.
        void client.noteIfAwaitingStandby()
        destroy()
      }, JOB_LEASE_STATEMENT_TIMEOUT_MS)
      try {
        return await client.query(text, [...values])
      } catch (error) {
        destroy()
        throw error
      } finally {
        clearTimeout(late)
      }
    })
    last = running.catch(() => undefined)
    return running
  }

  try {
    await client.connect()
  } catch (error) {
    destroy()
    throw error
  }
  await run(`listen ${CHANNEL}`)
  client.on('notification', ({ channel, processId }) => {
    if (channel === CHANNEL && processId !== backendOf(client)) onChange()
  })
  const name = `${hostname()} ${process.pid}`
  const joined = await run(JOIN, [name, leaseMs / 1_000, replaces ?? null, WORKERS_KEPT_SECONDS])
  const workerId = joined.rows[0].id as number

  return {
    workerId,
    name,
    async renew({ jobs, progress, resting }) {
      const values = [workerId, leaseMs / 1_000, JSON.stringify(jobs), JSON.stringify(progress), resting]
      const { rows } = await run(RENEW, values)
      if (rows.length === 0) return undefined
      const leases = (rows[0].leases ?? []) as (Omit<HeldJob, 'since'> & { readonly since: string })[]
      return {
        time: rows[0].time as Date,
        workers: rows[0].workers as Worker[],
        leases: leases.map((lease) => ({ ...lease, since: new Date(lease.since) })),
      }
    },
    async claim(jobs) {
      const { rows } = await run(CLAIM, [workerId, jobs])
      const unlocked = rows.flatMap(({ job, is_locked }) => (is_locked ? [] : [job as string]))
      const locked = unlocked.length === 0 ? [] : (await run(LOCKED_BY_EARLIER_VERSION, [unlocked])).rows
      const lost = new Set(locked.map(({ job }) => job as string))
      if (lost.size > 0) await run(RELEASE, [workerId, [...lost]])
      return new Map(rows.flatMap(({ job, token }) => (lost.has(job) ? [] : [[job as string, Number(token)]])))
    },
    async release(jobs) {
      await run(RELEASE, [workerId, jobs])
    },
    async leave() {
      await run(RELEASE, [workerId, null])
      await client.end()
    },
    destroy,
  }
}

/** The process id of the connection's server process. */
function backendOf(client: pg.Client): number | undefined {
  return (client as pg.Client & { readonly processID?: number }).processID
}
