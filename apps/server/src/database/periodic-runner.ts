import type pg from 'pg'
import { type Log, SHUTDOWN_TIMEOUT_MS } from '../kernel/index.ts'
import { createSession } from './create-session.ts'
import { createOutageReporter, type OutageReporter } from './report-outage.ts'

/** One round of periodic work. The signal means that this process stops or has lost the lock: end soon. */
export type PeriodicHandler = (signal: AbortSignal) => Promise<void>

export interface PeriodicRunner {
  /** Resolves when the first round is over here: done, failed, or left to the process that holds the lock. */
  every(job: string, seconds: number, handler: PeriodicHandler): Promise<void>
  stop(): Promise<void>
}

interface ScheduledRun {
  readonly job: string
  readonly delayMs: number
  readonly seconds: number
  readonly handler: PeriodicHandler
  readonly over?: () => void
}

/**
 * Periodic work that runs in one process at a time: the one that holds an advisory lock on a dedicated connection. The
 * lock ends with the process, and the next process that requests it takes over. When idle this costs no rows and no
 * statement in the process with the lock, and one small statement per round in every other.
 *
 * The connection must be a session of its own: a pooler that shares sessions would share the locks too.
 */
export function createPeriodicRunner({ databaseUrl, log }: { databaseUrl: string; log: Log }): PeriodicRunner {
  const outages = createOutageReporter(log, 'jobs')
  const locks = createJobLocks(databaseUrl, log, outages)
  const stopping = new AbortController()
  const rounds = new Set<Promise<void>>()
  const timers = new Set<NodeJS.Timeout>()

  const round = async (job: string, handler: PeriodicHandler): Promise<void> => {
    try {
      const lock = await locks.acquire(job)
      if (lock && !stopping.signal.aborted) await handler(AbortSignal.any([lock, stopping.signal]))
      outages.reportRecovery()
    } catch (error) {
      if (stopping.signal.aborted || outages.reportFailure(error)) return
      log.warn({ err: error, job }, 'periodic work failed')
    }
  }

  const schedule = ({ job, delayMs, seconds, handler, over }: ScheduledRun): void => {
    const timer = setTimeout(async () => {
      timers.delete(timer)
      const running = round(job, handler)
      rounds.add(running)
      await running
      rounds.delete(running)
      over?.()
      if (!stopping.signal.aborted) schedule({ job, delayMs: seconds * 1_000, seconds, handler })
    }, delayMs)
    timers.add(timer)
  }

  return {
    every: (job, seconds, handler) =>
      new Promise((resolve) => schedule({ job, delayMs: 0, seconds, handler, over: resolve })),
    async stop() {
      stopping.abort()
      for (const timer of timers) clearTimeout(timer)
      await within(SHUTDOWN_TIMEOUT_MS, Promise.all(rounds))
      await locks.close()
    },
  }
}

interface JobLocks {
  /** A signal that is aborted when the lock is lost; undefined while another process holds it. */
  acquire(job: string): Promise<AbortSignal | undefined>
  close(): Promise<void>
}

interface Session {
  readonly client: pg.Client
  /** Aborted when the connection is gone, and every lock with it. */
  readonly alive: AbortController
  readonly held: Set<string>
}

function createJobLocks(databaseUrl: string, log: Log, outages: OutageReporter): JobLocks {
  let session: Promise<Session> | undefined
  // A connection runs one statement at a time.
  let last: Promise<unknown> = Promise.resolve()

  const current = (): Promise<Session> => {
    session ??= openSession(databaseUrl, (error) => {
      session = undefined
      if (error && !outages.reportFailure(error)) log.warn({ err: error }, 'connection for periodic work lost')
    })
    return session
  }

  const acquireOn = async (job: string): Promise<AbortSignal | undefined> => {
    const { client, alive, held } = await current()
    if (!held.has(job)) {
      const { rows } = await client.query('select pg_try_advisory_lock(hashtextextended($1, 0)) as mine', [
        `weir periodic ${job}`,
      ])
      if (rows[0]?.mine !== true) return undefined
      held.add(job)
    }
    return alive.signal
  }

  return {
    acquire(job) {
      const acquiring = last.then(() => acquireOn(job))
      last = acquiring.catch(() => undefined)
      return acquiring
    },
    async close() {
      const opened = await session?.catch(() => undefined)
      await opened?.client.end()
    },
  }
}

async function openSession(url: string, onGone: (error: Error | undefined) => void): Promise<Session> {
  const client = createSession({ url, name: 'weir periodic' })
  const alive = new AbortController()
  const gone = (error?: Error): void => {
    if (alive.signal.aborted) return
    alive.abort()
    onGone(error)
  }
  client.on('error', gone)
  client.on('end', () => gone())
  try {
    await client.connect()
  } catch (error) {
    gone()
    throw error
  }
  return { client, alive, held: new Set() }
}

/** Waits for `work`, but at most `milliseconds`. */
async function within(milliseconds: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise((resolve) => {
    timer = setTimeout(resolve, milliseconds)
  })
  await Promise.race([work, limit])
  clearTimeout(timer)
}
