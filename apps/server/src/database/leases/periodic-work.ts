import type { Clock, ClockComparison, Log } from '../../kernel/index.ts'
import type { JobHealth } from './job-health.ts'
import type { JobLease } from './lease-keeper.ts'
import type { OwnProgress, WorkReport } from './work-report.ts'

/**
 * One round of work. The signal means that this process stops: end soon. A round that may take a minute calls `moved`
 * with each part that it ends.
 */
export type PeriodicHandler = (signal: AbortSignal, moved: () => void) => Promise<void>

/** Brings the next round of a job that runs everywhere forward to `seconds` from now, unless it is due sooner. */
export type WakeJob = (seconds: number) => void

/** One round of leased work. The signal also means that the lease ends: end soon. */
export type LeasedHandler = (signal: AbortSignal, lease: JobLease) => Promise<void>

export interface LeasedJobOptions {
  /** The jobs of a group are divided evenly among the processes. */
  readonly group?: string
  /** Progress within a round that takes long, and what else to report. */
  readonly progress?: () => OwnProgress
  /** It ends what others began, because of the time: a process whose clock does not agree does not run it at all. */
  readonly endsByTime?: boolean
}

export interface PeriodicRunner {
  /**
   * Runs a job in one process at a time, the one with its lease. Resolves when the first round is over here: done,
   * failed, or left to another process.
   */
  every(job: string, seconds: number, handler: LeasedHandler, options?: LeasedJobOptions): Promise<void>
  /** Runs a job in every process. Its statements claim rows, so that no two processes handle the same ones. */
  everywhere(job: string, seconds: number, handler: PeriodicHandler): WakeJob
  /** Reports work that runs itself in every process, at least every so many seconds, unless it is left to others. */
  alongside(job: string, seconds: number): Pick<JobHealth, 'moved' | 'succeeded' | 'failed'> & { isLeft(): boolean }
  report(): WorkReport
  stop(): Promise<void>
}

export interface PeriodicRunnerOptions {
  readonly databaseUrl: string
  readonly log: Log
  readonly clock: Clock
  /**
   * Compares the real clock of this process with the database's. While they do not agree, it leaves what others can run
   * to them: their claims and deadlines would end early or late here.
   */
  readonly clocks?: ClockComparison | undefined
  /** How long a lease lasts without a renewal; 8 seconds except in tests. */
  readonly leaseMs?: number
  /** A clock that nobody sets; the one of the process except in tests. */
  readonly monotonicMs?: () => number
}
