import { CompiledQuery } from 'kysely'
import { type Job, type JobResult, PgBoss } from 'pg-boss'
import { type Log, SHUTDOWN_TIMEOUT_MS } from '../kernel/index.ts'
import type { Tx } from './in-transaction.ts'
import { isDatabaseUnavailable } from './is-database-unavailable.ts'
import { createPeriodicRunner, type PeriodicHandler } from './periodic-runner.ts'
import { JOB_OPTIONS, JOB_WORKER_SETTINGS, QUEUE_OPTIONS } from './queue-settings.ts'

/** What a job carries: plain JSON, just enough to find the rows that it is about. */
export type JobPayload = Record<string, unknown>

/** Does one job. It may run twice (at least once is the promise), so it first looks whether there is anything to do. */
export type JobHandler<P extends JobPayload> = (payload: P, signal: AbortSignal) => Promise<void>

export interface JobWorkerOptions {
  /** How many jobs of this kind one process does at the same time; default 50. */
  readonly parallel?: number
}

export interface Queue {
  /** Makes the queue's own schema if need be and begins to work; several processes may start at once. */
  start(): Promise<void>
  /** Lets running jobs finish for ten seconds; what is not done by then comes back to another process. */
  stop(): Promise<void>
  /** Adds a job in the caller's transaction, to run once that has committed and not before `at`. One statement. */
  enqueue(tx: Tx, job: string, payload: JobPayload, at?: Date): Promise<void>
  /** Does jobs of one kind in this process. A job that throws is tried again, ever more slowly. */
  work<P extends JobPayload>(job: string, handler: JobHandler<P>, options?: JobWorkerOptions): Promise<void>
  /**
   * Runs the handler at once and then every `seconds` after it ended, in one process of all at a time; when that
   * process dies, another takes over within `seconds`. An error is logged and the next round comes as usual. Resolves
   * when the first round is over here: done, failed, or left to the process whose turn it is.
   */
  every(job: string, seconds: number, handler: PeriodicHandler): Promise<void>
}

/** Connections of the queue's own, beside one that listens and one for periodic work. */
const CONNECTIONS = 4

/** The job queue of one process, on connections of its own. */
export function createQueue({ databaseUrl, log }: { databaseUrl: string; log: Log }): Queue {
  const boss = new PgBoss({
    ...QUEUE_OPTIONS,
    connectionString: databaseUrl,
    application_name: 'weir jobs',
    max: CONNECTIONS,
  })
  // Periodic work on the same database tells that it is away, and when it answers again.
  boss.on('error', (error) => {
    if (!isDatabaseUnavailable(error)) log.warn({ err: error }, 'job queue')
  })
  boss.on('warning', ({ message, data }) => log.warn({ data }, `job queue: ${message}`))
  const periodic = createPeriodicRunner({ databaseUrl, log })
  const known = new Map<string, Promise<void>>()

  /** A kind of job exists from its first use on, with the settings of this build, whatever older ones it had. */
  const ensure = (job: string): Promise<void> => {
    const begun = known.get(job) ?? declare(boss, job)
    known.set(job, begun)
    // A failure is told to this caller; the next one tries anew.
    begun.catch(() => known.delete(job))
    return begun
  }

  return {
    async start() {
      await boss.start()
    },
    async stop() {
      await Promise.all([periodic.stop(), boss.stop({ graceful: true, timeout: SHUTDOWN_TIMEOUT_MS, close: true })])
    },
    async enqueue(tx, job, payload, at) {
      await ensure(job)
      await boss.send(job, payload, { db: inside(tx), ...(at && { startAfter: at }) })
    },
    async work(job, handler, { parallel } = {}) {
      await ensure(job)
      const options = {
        ...JOB_WORKER_SETTINGS,
        batchSize: parallel ?? JOB_WORKER_SETTINGS.batchSize,
        perJobResults: true,
      } as const
      await boss.work(job, options, (jobs: Job[]) => runBatch(jobs, handler as JobHandler<JobPayload>, log))
    },
    every: periodic.every,
  }
}

async function declare(boss: PgBoss, job: string): Promise<void> {
  await boss.createQueue(job, JOB_OPTIONS)
  await boss.updateQueue(job, JOB_OPTIONS)
}

/** pg-boss sends its statement through the caller's transaction. */
function inside(tx: Tx): { executeSql(text: string, values?: unknown[]): Promise<{ rows: unknown[] }> } {
  return { executeSql: (text, values) => tx.executeQuery(CompiledQuery.raw(text, values)) }
}

/** Each job of a batch succeeds or fails for itself. */
async function runBatch(jobs: Job[], handler: JobHandler<JobPayload>, log: Log): Promise<JobResult[]> {
  return Promise.all(
    jobs.map(async ({ id, name, data, signal }): Promise<JobResult> => {
      try {
        await handler(data as JobPayload, signal)
        return { id, status: 'completed' }
      } catch (error) {
        log.warn({ err: error, job: name, jobId: id }, 'a job failed and will be tried again')
        return { id, status: 'failed', output: { message: error instanceof Error ? error.message : String(error) } }
      }
    }),
  )
}
