import type { JobProgress } from '../schema/database.ts'

/** Who does what, as of this process's last renewal; its own progress as of now. */
export interface WorkReport {
  /** Undefined while this process has no place among the workers. */
  readonly workerId: number | undefined
  readonly jobs: readonly JobReport[]
  /** The jobs that every process runs: those of this one. */
  readonly shared: readonly SharedJob[]
  /** The leased jobs that this process runs when they are its turn, held or not. */
  readonly offered: readonly string[]
  /** The jobs of this process, leased or shared, without progress for 60 seconds beyond their period. */
  readonly stalled: readonly StalledJob[]
  /** The jobs that stalled in this process: it leaves a leased one to others for some minutes, if it can. */
  readonly resting: readonly string[]
  /** How long ago this process's leases were last renewed; infinite before the first time. */
  readonly renewedMs: number
}

/** A leased job that a process holds. */
export interface JobReport extends JobProgress {
  readonly job: string
  readonly workerId: number
  /** The host and the process id. */
  readonly worker: string
  readonly since: Date
}

/** A job that every process runs, and how it progresses in this one. */
export interface SharedJob extends JobProgress {
  readonly job: string
  readonly since: Date
}

/** What a job itself reports of its progress. */
export interface OwnProgress extends Omit<JobProgress, 'at' | 'failure'> {
  readonly at?: Date | undefined
}

/** A job of this process that lacks progress. */
export interface StalledJob {
  readonly job: string
  readonly seconds: number
  /** The code or name of the error that its last round failed with. */
  readonly failure?: string
}
