import { isDatabaseUnavailable } from '../../src/database/index.ts'
import { assignJobs } from '../../src/database/leases/assign-jobs.ts'
import { Failure, WORK_STALLED_MS } from '../../src/kernel/index.ts'
import type { ServiceProcess, SharingWorker } from './service.ts'

/** A periodic job that one process at a time runs. */
export interface SharedJob {
  readonly name: string
  readonly group: string
  readonly seconds: number
  /** A round under a lease that it begins with, if `isFirst`. */
  round(process: ServiceProcess, isFirst: boolean): Promise<void>
}

interface Lease {
  readonly worker: SharingWorker
  readonly since: Date
  hasBegun: boolean
}

/**
 * Divides jobs among processes as the periodic runner does at each renewal, by the engine's own rules: which jobs rest
 * where, and who gets what. The runner's leases, timers and connections are not played: a round ends before the next
 * division.
 */
export class SharedJobs {
  readonly workers: readonly SharingWorker[]
  readonly #jobs: readonly SharedJob[]
  readonly #leases = new Map<string, Lease>()
  readonly #progress = new Map<string, Date>()

  constructor(workers: readonly SharingWorker[], jobs: readonly SharedJob[]) {
    this.workers = workers
    this.#jobs = jobs
  }

  /** The process that holds a job. */
  holderOf(job: string): ServiceProcess | undefined {
    return this.#leases.get(job)?.worker.process
  }

  /** When a round of it succeeded last. */
  progressOf(job: string): Date | undefined {
    return this.#progress.get(job)
  }

  /** Every process says what rests there, and each job goes to the one that should run it. Returns those that moved. */
  divide(now: Date): readonly string[] {
    for (const worker of this.workers) worker.backoff.update(now, this.#statesOf(worker, now))
    const jobs = Object.fromEntries(this.#jobs.map(({ name, group }) => [name, group]))
    const candidates = this.workers.map(({ process, backoff }) => ({
      id: process.number,
      jobs,
      resting: backoff.at(now),
    }))
    const holders = new Map([...this.#leases].map(([job, { worker }]) => [job, worker.process.number]))
    const moved: string[] = []
    for (const [job, id] of assignJobs(candidates, holders)) {
      if (holders.get(job) === id) continue
      const worker = this.workers.find(({ process }) => process.number === id)!
      this.#leases.set(job, { worker, since: now, hasBegun: false })
      moved.push(`${job} goes to worker ${id}`)
    }
    return moved
  }

  #statesOf(worker: SharingWorker, now: Date) {
    return this.#jobs.flatMap(({ name: job, seconds }) => {
      const lease = this.#leases.get(job)
      if (lease?.worker !== worker) return []
      const progressMs = this.#progress.get(job)?.getTime() ?? 0
      const silentMs = now.getTime() - Math.max(lease.since.getTime(), progressMs)
      const isStalled = silentMs >= seconds * 1_000 + WORK_STALLED_MS
      return [{ job, isStalled, hasProgressed: progressMs >= lease.since.getTime() }]
    })
  }

  /** Each job's holder runs a round of it. One that fails is no progress. */
  async runRounds(now: Date): Promise<void> {
    for (const { name, round } of this.#jobs) {
      const lease = this.#leases.get(name)!
      const isFirst = !lease.hasBegun
      lease.hasBegun = true
      try {
        await round(lease.worker.process, isFirst)
        this.#progress.set(name, now)
      } catch (error) {
        if (!(error instanceof Failure) && !isDatabaseUnavailable(error)) throw error
      }
    }
  }
}
