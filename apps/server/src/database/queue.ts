import { CompiledQuery } from 'kysely'
import { type Job, type JobResult, PgBoss } from 'pg-boss'
import { type Log, SHUTDOWN_TIMEOUT_MS } from '../kernel/index.ts'
import type { Tx } from './handles.ts'
import { isDatabaseUnavailable } from './is-database-unavailable.ts'
import { createPeriodicRunner, type PeriodicHandler } from './periodic-runner.ts'
import { JOB_OPTIONS, JOB_WORKER_SETTINGS, QUEUE_OPTIONS } from './queue-settings.ts'

/** The payload of a job: plain JSON, just enough to find its rows. */
export type JobPayload = Record<string, unknown>

/** Runs one job. It may run twice (at least once is the guarantee), so it first checks whether there is work to do. */
export type JobHandler<P extends JobPayload> = (payload: P, signal: AbortSignal) => Promise<void>

export interface JobWorkerOptions {
  /** How many jobs of this type one process runs concurrently; default 50. */
  readonly parallel?: number
}

export interface Queue {
  /** Creates the queue's own schema if needed and starts working; several processes may start at once. */
  start(): Promise<void>
  /** Lets running jobs finish for ten seconds; unfinished ones pass to another process. */
  stop(): Promise<void>
  /** Adds a job in the caller's transaction; it runs after the commit and not before `at`. One statement. */
  enqueue(tx: Tx, job: string, payload: JobPayload, at?: Date): Promise<void>
  /** Runs jobs of one type in this process. A job that throws is retried with increasing delays. */
  work<P extends JobPayload>(job: string, handler: JobHandler<P>, options?: JobWorkerOptions): Promise<void>
  /**
   * Runs the handler at once and then every `seconds` after it ended, in one process at a time; when that process dies,
   * another takes over within `seconds`. An error is logged, and the next round runs as usual. Resolves when the first
   * round is over here: done, failed, or left to the process that holds the lock.
   */
  every(job: string, seconds: number, handler: PeriodicHandler): Promise<void>
}

/** Connections of the queue itself, in addition to one that listens and one for periodic work. */
const CONNECTIONS = 4

/** The job queue of one process, on its own connections. */
export function createQueue({ databaseUrl, log }: { databaseUrl: string; log: Log }): Queue {
  const boss = new PgBoss({
    ...QUEUE_OPTIONS,
    connectionString: databaseUrl,
    application_name: 'weir jobs',
    max: CONNECTIONS,
  })
  // Periodic work on the same database already reports an outage and the recovery.
  boss.on('error', (error) => {
    if (!isDatabaseUnavailable(error)) log.warn({ err: error }, 'job queue')
  })
  boss.on('warning', ({ message, data }) => log.warn({ data }, `job queue: ${message}`))
  const periodic = createPeriodicRunner({ databaseUrl, log })
  const declared = new Map<string, Promise<void>>()

  /** Creates a job type on first use, with the settings of this build, replacing those of older ones. */
  const ensure = (job: string): Promise<void> => {
    const declaring = declared.get(job) ?? declare(boss, job)
    declared.set(job, declaring)
    // This caller sees the failure; the next one tries again.
    declaring.catch(() => declared.delete(job))
    return declaring
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

/** Each job of a batch succeeds or fails independently. */
async function runBatch(jobs: Job[], handler: JobHandler<JobPayload>, log: Log): Promise<JobResult[]> {
  return Promise.all(
    jobs.map(async ({ id, name, data, signal }): Promise<JobResult> => {
      try {
        await handler(data as JobPayload, signal)
        return { id, status: 'completed' }
      } catch (error) {
        log.warn({ err: error, job: name, jobId: id }, 'job failed, will be retried')
        return { id, status: 'failed', output: { message: error instanceof Error ? error.message : String(error) } }
      }
    }),
  )
}
