import { type Clock, JOB_LEASE_RENEWALS, JOB_LEASE_RETRY_MS, JOB_ROUND_LEFT_MS } from '../../kernel/index.ts'
import type { Database } from '../handles.ts'
import { leasedDatabase } from '../queries/leased-database.ts'
import type { JobProgress } from '../schema/database.ts'
import { assignJobs } from './assign-jobs.ts'
import { type HeldJob, type LeaseSession, openLeaseSession, type WorkSnapshot } from './lease-session.ts'

/** The right to run a job until it is lost, handed over, or the process stops. */
export interface JobLease {
  readonly job: string
  readonly since: Date
  /** Aborted when the lease is lost or the job goes to another process: end soon. */
  readonly signal: AbortSignal
  /** A handle whose transactions fail with LeaseLostError once another process runs the job. */
  database(db: Database): Database
}

export interface LeaseKeeperOptions {
  readonly databaseUrl: string
  readonly clock: Clock
  readonly leaseMs: number
  /** This process got a place among the workers. */
  readonly onJoined: (session: LeaseSession) => void
  /** Called with each lease that this process gets, and the last progress that another process reported of the job. */
  readonly onLease: (lease: JobLease, progressAt: Date | undefined) => void
  /** The round of a job that is under way in this process, under whichever lease. */
  readonly running: (job: string) => Promise<void> | undefined
  /** Its round is waited for no longer, and another one may begin. */
  readonly abandon: (job: string) => void
  /** The jobs to leave to others for now, if any can run them; asked before each renewal. */
  readonly resting: () => readonly string[]
  /** The jobs that this process may not run for now, not even if no other can; asked before each renewal. */
  readonly withheld: () => readonly string[]
  /** Called with the database's time, and when it was asked for by the clock of the process that nobody sets. */
  readonly onTime: (time: Date, sentMs: number) => void
  /** What to report of a job. */
  readonly progress: (job: string) => JobProgress
  /** After each renewal, successful or not: the leases of these jobs were requested. */
  readonly onRenewed: (jobs: readonly string[]) => void
  readonly onError: (error: Error) => void
  readonly onRecovery: () => void
}

/** Who does what, as of this process's last renewal. */
export interface SharedWork extends WorkSnapshot {
  /** Undefined while this process has no place among the workers. */
  readonly workerId: number | undefined
  /** How long ago the last successful renewal began; infinite before the first. */
  readonly ageMs: number
  /** The jobs that this process takes part in. */
  readonly offered: readonly string[]
}

/** Holds the leases of this process: renews them, takes free ones and hands over what exceeds its share. */
export interface LeaseKeeper {
  /** Adds a job that this process can run. */
  offer(job: string, group: string): void
  holds(job: string): boolean
  /** Another process holds this job by now. */
  drop(job: string): void
  /** Renews at once, and takes what became free. */
  nudge(): void
  current(): SharedWork
  /** Releases every lease and ends the connection. */
  close(): Promise<void>
}

interface Held {
  readonly token: number
  readonly abort: AbortController
  isLeaving: boolean
}

export function createLeaseKeeper(options: LeaseKeeperOptions): LeaseKeeper {
  const { databaseUrl, clock, leaseMs, onJoined, onLease, running, progress, onRenewed, onError, onRecovery } = options
  const offered: Record<string, string> = {}
  const held = new Map<string, Held>()
  /** When the signal of a job's last lease was aborted. */
  const endedMs = new Map<string, number>()
  let resting: readonly string[] = []
  let session: LeaseSession | undefined
  let lastWorkerId: number | undefined
  let renewedAt = Number.NEGATIVE_INFINITY
  let snapshot: WorkSnapshot = { workers: [], leases: [] }
  let timer: NodeJS.Timeout | undefined
  let renewing: Promise<void> | undefined
  let isNudged = false
  let isClosed = false

  const end = (job: string): void => {
    const abort = held.get(job)?.abort
    if (!abort || abort.signal.aborted) return
    abort.abort()
    endedMs.set(job, performance.now())
  }
  const lose = (job: string): void => {
    end(job)
    held.delete(job)
  }
  const loseAll = (): void => {
    for (const job of [...held.keys()]) lose(job)
  }
  const isCurrent = (): boolean => performance.now() - renewedAt < leaseMs
  const roundEndsAfter = (job: string, milliseconds: number): boolean =>
    running(job) !== undefined && performance.now() - endedMs.get(job)! >= milliseconds

  const schedule = (delayMs: number): void => {
    clearTimeout(timer)
    if (!isClosed) timer = setTimeout(() => void renewOnce(), delayMs)
  }
  const nudge = (): void => {
    if (renewing) isNudged = true
    else schedule(0)
  }

  const open = (): Promise<LeaseSession> =>
    openLeaseSession({
      databaseUrl,
      leaseMs,
      replaces: lastWorkerId,
      onChange: nudge,
      onGone: (error) => {
        session = undefined
        loseAll()
        if (isClosed) return
        if (error) onError(error)
        nudge()
      },
    })

  async function renew(): Promise<void> {
    // Woken after a pause: others may have taken over since.
    if (!isCurrent()) loseAll()
    if (!session) {
      session = await open()
      lastWorkerId = session.workerId
      onJoined(session)
    }
    const { workerId } = session
    const withheld = options.withheld()
    let seen = await renewAs(session, withheld)
    // Its response may have changed that: jobs are divided by what this process can run now.
    const withheldNow = options.withheld()
    if (withheldNow.length !== withheld.length) seen = await renewAs(session, withheldNow)
    for (const [job, { token }] of [...held]) {
      const lease = seen.leases.find((one) => one.job === job)
      if (lease?.workerId !== workerId || lease.token !== token) lose(job)
    }
    const holders = new Map(
      seen.leases.flatMap((lease) => (lease.workerId === null ? [] : [[lease.job, lease.workerId]])),
    )
    const assigned = assignJobs(seen.workers, holders)
    for (const [job, lease] of held) {
      if (!lease.isLeaving) {
        if (assigned.get(job) !== workerId) void handOver(job, lease)
      } else if (resting.includes(job) && roundEndsAfter(job, leaseMs)) {
        // As if this process were frozen: what the round still writes fails, or has no second effect (ADR 133).
        options.abandon(job)
        void release(job, lease)
      }
    }
    const alive = new Set(seen.workers.map(({ id }) => id))
    const wanted = [...assigned].flatMap(([job, id]) => {
      const holder = holders.get(job)
      const isFree = holder === undefined || holder === workerId || !alive.has(holder)
      return id === workerId && isFree && !held.has(job) && job in offered && isRoundOver(job) ? [job] : []
    })
    if (wanted.length === 0 || isClosed) return
    for (const [job, token] of await session.claim(wanted)) hold(job, workerId, token)
  }

  /** Renews, and says what this process can run. Throws if it has no place any longer. */
  async function renewAs(joined: LeaseSession, withheld: readonly string[]): Promise<WorkSnapshot> {
    const jobs = Object.fromEntries(Object.entries(offered).filter(([job]) => !withheld.includes(job)))
    const sentAt = performance.now()
    resting = options.resting()
    const seen = await joined.renew({ jobs, resting, progress: progressOfAll() })
    if (seen === undefined) throw new Error('this process was removed from those that share the work')
    options.onTime(seen.time, sentAt)
    snapshot = seen
    renewedAt = sentAt
    return seen
  }

  function hold(job: string, workerId: number, token: number): void {
    const abort = new AbortController()
    const since = clock.now()
    held.set(job, { token, abort, isLeaving: false })
    note({ job, workerId, token, since })
    const reported = snapshot.workers.flatMap((worker) => worker.progress[job]?.at ?? []).sort()
    onLease(
      {
        job,
        since,
        signal: abort.signal,
        database: (db) => leasedDatabase(db, { job, workerId, token }),
      },
      reported.length === 0 ? undefined : new Date(reported.at(-1)!),
    )
  }

  /** Corrects what the last renewal saw. */
  function note(lease: HeldJob): void {
    snapshot = { ...snapshot, leases: [...snapshot.leases.filter(({ job }) => job !== lease.job), lease] }
  }

  /** The last round of an earlier lease must be over, unless it may never be. */
  function isRoundOver(job: string): boolean {
    if (roundEndsAfter(job, resting.includes(job) ? leaseMs : JOB_ROUND_LEFT_MS)) options.abandon(job)
    return running(job) === undefined
  }

  /** Ends the round that is under way, then releases the job. */
  async function handOver(job: string, lease: Held): Promise<void> {
    lease.isLeaving = true
    end(job)
    await running(job)
    await release(job, lease)
  }

  async function release(job: string, lease: Held): Promise<void> {
    if (held.get(job) !== lease) return
    held.delete(job)
    note({ job, workerId: null, token: lease.token, since: clock.now() })
    // An error ends the connection, which has the same effect.
    await session?.release([job]).catch(() => undefined)
  }

  async function renewOnce(): Promise<void> {
    isNudged = false
    const requested = Object.keys(offered)
    let failed = false
    renewing = renew()
    try {
      await renewing
      onRecovery()
    } catch (error) {
      failed = true
      session?.destroy()
      if (!isClosed) onError(error as Error)
    } finally {
      renewing = undefined
    }
    onRenewed(requested)
    schedule(failed ? JOB_LEASE_RETRY_MS : isNudged ? 0 : leaseMs / JOB_LEASE_RENEWALS)
  }

  /** Also of jobs that it no longer holds: the process that gets one learns how old its progress is. */
  const progressOfAll = (): Record<string, JobProgress> =>
    Object.fromEntries(Object.keys(offered).map((job) => [job, progress(job)]))

  return {
    offer(job, group) {
      offered[job] = group
      nudge()
    },
    holds: (job) => {
      if (!isCurrent()) loseAll()
      return held.has(job)
    },
    drop(job) {
      lose(job)
      nudge()
    },
    nudge,
    current: () => ({
      ...snapshot,
      workerId: session?.workerId,
      ageMs: performance.now() - renewedAt,
      offered: Object.keys(offered),
    }),
    async close() {
      isClosed = true
      clearTimeout(timer)
      loseAll()
      await renewing?.catch(() => undefined)
      await session?.leave().catch(() => undefined)
    },
  }
}
