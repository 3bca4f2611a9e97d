import { createOutageLogs, inSpan, JOB_LEASE_MS, SHUTDOWN_TIMEOUT_MS, settlesWithin } from '../../kernel/index.ts'
import { createOutageReporter } from '../connections/report-outage.ts'
import { LeaseLostError } from '../queries/leased-database.ts'
import { JobBackoff } from './job-backoff.ts'
import { JobHealth } from './job-health.ts'
import { createLeaseKeeper, type JobLease } from './lease-keeper.ts'
import type { Worker } from './lease-session.ts'
import type { LeasedJobOptions, PeriodicHandler, PeriodicRunner, PeriodicRunnerOptions } from './periodic-work.ts'
import type { JobReport, StalledJob } from './work-report.ts'

interface Job {
  readonly name: string
  readonly seconds: number
  /** Since when it runs here without a lease, as it does in every process; undefined: it needs one. */
  readonly sharedSince: Date | undefined
  readonly endsByTime: boolean
  readonly health: JobHealth
  readonly round: (signal: AbortSignal, lease: JobLease | undefined) => Promise<void>
  /** The first round is over here. */
  readonly over: () => void
  lease: JobLease | undefined
  running: Promise<void> | undefined
  timer: NodeJS.Timeout | undefined
  /** When the timer ends, by the monotonic clock. */
  dueMs: number
  /** What was asked for while a round ran. */
  hastened: number | undefined
  /** Runs the next round. */
  next: (() => void) | undefined
}

/**
 * Periodic work, divided among the processes on one database by expiring leases (ADR 133). A process renews all its
 * leases with one statement every two seconds, on a connection of its own; a round costs none. A process that stops
 * hands over at once, a killed one is replaced at the next renewal of another, and one that hangs or is cut off when its
 * leases expire. A job that stalls goes to another process, if one is left (ADR 187). One that runs everywhere stays:
 * each process reports its own.
 *
 * The connection must be a session of its own: a pooler that shares sessions would share its lock.
 */
export function createPeriodicRunner({
  databaseUrl,
  log,
  clock,
  clocks,
  leaseMs = JOB_LEASE_MS,
  monotonicMs = () => performance.now(),
}: PeriodicRunnerOptions): PeriodicRunner {
  const outages = createOutageReporter(log, 'jobs')
  const failures = createOutageLogs(log, { away: 'a periodic job failed', back: 'a periodic job succeeds again' })
  const leaseOutages = createOutageReporter(log, 'leases')
  const leaseFailures = createOutageLogs(log, {
    away: 'failed to renew the leases of this process',
    back: 'the leases of this process are renewed again',
  })
  const stopping = new AbortController()
  const jobs = new Map<string, Job>()
  const backoff = new JobBackoff()
  const agrees = () => clocks?.agrees() ?? true

  const keeper = createLeaseKeeper({
    databaseUrl,
    clock,
    leaseMs,
    onJoined: ({ workerId, name }) => log.info({ worker: workerId, name }, 'this process joined the periodic work'),
    onLease(lease, progressAt) {
      const job = jobs.get(lease.job)!
      job.lease = lease
      job.health.begin(progressAt)
      repeat(job, lease)
    },
    running: (name) => jobs.get(name)?.running,
    abandon(name) {
      jobs.get(name)!.running = undefined
      log.warn({ job: name }, 'left a round of a periodic job that does not end')
    },
    resting,
    withheld: () => (agrees() ? [] : [...jobs.values()].filter((job) => job.endsByTime).map(({ name }) => name)),
    onTime: (time, sentMs) => clocks?.heard(time, sentMs),
    progress: (name) => jobs.get(name)!.health.progress(),
    onRenewed(names) {
      for (const name of names) if (!keeper.holds(name)) jobs.get(name)?.over()
    },
    onError(error) {
      if (!leaseOutages.reportFailure(error)) leaseFailures.failed({}, { err: error })
    },
    onRecovery() {
      leaseFailures.recovered({})
      leaseOutages.reportRecovery()
    },
  })

  /** Runs rounds until the lease ends, or the process stops. */
  function repeat(job: Job, lease: JobLease | undefined): void {
    const isOver = () => stopping.signal.aborted || (lease !== undefined && !keeper.holds(job.name))
    const next = async (): Promise<void> => {
      if (isOver() || lease?.signal.aborted) return
      const running = runOnce(job, lease)
      job.running = running
      await running
      // It was left, and another round may be under way.
      if (job.running !== running) return
      job.running = undefined
      job.over()
      if (lease?.signal.aborted) keeper.nudge()
      else if (!isOver()) schedule(job, Math.min(job.seconds, job.hastened ?? job.seconds))
      job.hastened = undefined
    }
    job.next = () => void next()
    lease?.signal.addEventListener('abort', () => outages.forget(job.name))
    schedule(job, 0)
  }

  function schedule(job: Job, seconds: number): void {
    clearTimeout(job.timer)
    job.dueMs = performance.now() + seconds * 1_000
    job.timer = setTimeout(job.next!, seconds * 1_000)
  }

  function wakeJob(job: Job, seconds: number): void {
    if (stopping.signal.aborted) return
    if (job.running) job.hastened = Math.min(job.hastened ?? seconds, seconds)
    else if (performance.now() + seconds * 1_000 < job.dueMs) schedule(job, seconds)
  }

  /** While the clocks do not agree: whether the job waits for another process, or for the right time. */
  function isLeftToOthers({ name, endsByTime, sharedSince }: Job): boolean {
    if (agrees()) return false
    const { workerId, workers, ageMs } = keeper.current()
    const isRunBy = ({ resting }: Worker) => !resting?.includes(name)
    const isShared = sharedSince !== undefined && workers.some((one) => one.id !== workerId && isRunBy(one))
    // Before the first renewal, others are not known.
    return endsByTime || isShared || ageMs === Number.POSITIVE_INFINITY
  }

  async function runOnce(job: Job, lease: JobLease | undefined): Promise<void> {
    if (isLeftToOthers(job)) {
      if (lease) keeper.nudge()
      else job.health.succeeded()
      return
    }
    const signal = lease ? AbortSignal.any([lease.signal, stopping.signal]) : stopping.signal
    const isLeft = () => job.lease !== lease
    try {
      await inSpan(
        () => ({ name: `job ${job.name}`, parent: 'none', isRound: true, attributes: { 'weir.job': job.name } }),
        () => job.round(signal, lease),
      )
      if (isLeft()) return
      job.health.succeeded()
      failures.recovered({ job: job.name })
      outages.reportRecovery(job.name)
    } catch (error) {
      if (isLeft()) return
      if (error instanceof LeaseLostError) {
        keeper.drop(job.name)
        log.info({ job: job.name }, 'another process took over a periodic job')
        return
      }
      if (signal.aborted || outages.reportFailure(error, job.name)) return
      failures.failed({ job: job.name }, { err: error })
      job.health.failed(error)
    }
  }

  /** Since when a job runs in this process. */
  const sinceOf = ({ name, sharedSince, lease }: Job): Date | undefined =>
    sharedSince ?? (lease && keeper.holds(name) ? lease.since : undefined)

  const stalled = (): StalledJob[] =>
    [...jobs.values()].flatMap((job) => {
      const since = sinceOf(job)
      const stall = since && job.health.stall(since)
      return stall ? [{ job: job.name, ...stall }] : []
    })

  /** The jobs that stall in this process, and did so until some minutes ago; all while the clocks do not agree. */
  function resting(): readonly string[] {
    const now = clock.now()
    const found = new Map(stalled().map((one) => [one.job, one]))
    const held = [...jobs.values()].flatMap((job) => {
      const since = sinceOf(job)
      if (!since) return []
      return [{ job: job.name, isStalled: found.has(job.name), hasProgressed: job.health.hasProgressedSince(since) }]
    })
    for (const name of backoff.update(now, held)) {
      const others = jobs.get(name)?.sharedSince
        ? 'others run it too, if any is left'
        : 'another one gets it, if one is left'
      log.warn(found.get(name), `a periodic job makes no progress in this process; ${others}`)
    }
    return agrees() ? backoff.at(now) : [...jobs.keys()]
  }

  function add(
    name: string,
    seconds: number,
    job: Pick<Job, 'round' | 'over' | 'sharedSince' | 'endsByTime'>,
    own?: LeasedJobOptions['progress'],
  ): Job {
    const added: Job = {
      name,
      seconds,
      health: new JobHealth({ clock, monotonicMs, seconds, own }),
      ...job,
      lease: undefined,
      running: undefined,
      timer: undefined,
      dueMs: 0,
      hastened: undefined,
      next: undefined,
    }
    jobs.set(name, added)
    return added
  }

  function addShared(name: string, seconds: number, handler: PeriodicHandler): Job {
    const round = (signal: AbortSignal) => handler(signal, () => job.health.moved())
    const job = add(name, seconds, { over: () => undefined, round, sharedSince: clock.now(), endsByTime: false })
    return job
  }

  return {
    every: (name, seconds, handler, options = {}) =>
      new Promise((over) => {
        const round: Job['round'] = (signal, lease) => handler(signal, lease!)
        const { endsByTime = false } = options
        add(name, seconds, { over, round, sharedSince: undefined, endsByTime }, options.progress)
        keeper.offer(name, options.group ?? 'other')
      }),
    everywhere(name, seconds, handler) {
      const job = addShared(name, seconds, handler)
      repeat(job, undefined)
      return (soon) => wakeJob(job, soon)
    },
    alongside(name, seconds) {
      const job = addShared(name, seconds, async () => {})
      return {
        moved: () => job.health.moved(),
        succeeded: () => job.health.succeeded(),
        failed: (error) => job.health.failed(error),
        isLeft: () => isLeftToOthers(job),
      }
    },
    report() {
      const { workerId, workers, leases, offered, ageMs } = keeper.current()
      const held = leases.flatMap(({ job, workerId: holder, since }): JobReport[] => {
        const worker = workers.find(({ id }) => id === holder)
        if (!worker) return []
        const own = worker.id === workerId ? jobs.get(job) : undefined
        const progress = own ? own.health.progress() : worker.progress[job]
        return [{ job, workerId: worker.id, worker: worker.name, since, ...progress }]
      })
      held.sort((one, other) => (one.job < other.job ? -1 : 1))
      const shared = [...jobs.values()].flatMap(({ name, sharedSince, health }) =>
        sharedSince ? [{ job: name, since: sharedSince, ...health.progress() }] : [],
      )
      const resting = backoff.at(clock.now())
      return { workerId, jobs: held, shared, offered, stalled: stalled(), resting, renewedMs: ageMs }
    },
    async stop() {
      stopping.abort()
      for (const { timer } of jobs.values()) clearTimeout(timer)
      await settlesWithin(Promise.all([...jobs.values()].map(({ running }) => running)), SHUTDOWN_TIMEOUT_MS)
      await keeper.close()
      for (const { over } of jobs.values()) over()
    },
  }
}
