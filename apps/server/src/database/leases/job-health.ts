import { type Clock, Failure, WORK_STALLED_MS } from '../../kernel/index.ts'
import type { JobProgress } from '../schema/database.ts'
import type { OwnProgress, StalledJob } from './work-report.ts'

interface JobHealthOptions {
  readonly clock: Clock
  /** A clock that nobody sets. */
  readonly monotonicMs: () => number
  /** The period of the job. */
  readonly seconds: number
  /** Progress within a round that takes long, and what else to report. */
  readonly own?: (() => OwnProgress) | undefined
}

/** What a process knows of the progress of a job that it runs. */
export class JobHealth {
  readonly #options: JobHealthOptions
  #doneAt: Date | undefined
  #failure: string | undefined
  /** The progress within a round as it was seen last, and when there was progress last, by the monotonic clock. */
  #seenAt: number | undefined
  #movedMs: number

  constructor(options: JobHealthOptions) {
    this.#options = options
    this.#movedMs = options.monotonicMs()
  }

  /** The job begins here. One that stalls in one process after another is as old as its last progress. */
  begin(progressAt: Date | undefined): void {
    this.#doneAt = progressAt
    this.#movedMs = this.#options.monotonicMs()
  }

  /** There is progress within a round. */
  moved(): void {
    this.#doneAt = this.#options.clock.now()
    this.#movedMs = this.#options.monotonicMs()
  }

  succeeded(): void {
    this.moved()
    this.#failure = undefined
  }

  failed(error: unknown): void {
    this.#failure = nameOf(error)
  }

  progress(): JobProgress {
    const { at, ...own } = this.#options.own?.() ?? {}
    const last = at && (!this.#doneAt || at > this.#doneAt) ? at : this.#doneAt
    return {
      ...(last && { at: last.toISOString() }),
      ...(this.#failure && { failure: this.#failure }),
      ...own,
    }
  }

  /** Whether there was progress since then. */
  hasProgressedSince(since: Date): boolean {
    const { at } = this.progress()
    return at !== undefined && Date.parse(at) >= since.getTime()
  }

  /** How long the job, which runs here since then, lacks progress, if that is for too long. */
  stall(since: Date): Omit<StalledJob, 'job'> | undefined {
    const { clock, seconds } = this.#options
    const { at, failure } = this.progress()
    const sinceMs = clock.now().getTime() - Math.max(since.getTime(), at ? Date.parse(at) : 0)
    const silentMs = Math.max(sinceMs, this.#unmovedMs())
    if (silentMs < seconds * 1_000 + WORK_STALLED_MS) return undefined
    return { seconds: Math.floor(silentMs / 1_000), ...(failure && { failure }) }
  }

  /** How long the job lacks progress, whatever was done to the clock since. */
  #unmovedMs(): number {
    const { own, monotonicMs } = this.#options
    const seenAt = own?.().at?.getTime()
    if (seenAt !== this.#seenAt) this.#movedMs = monotonicMs()
    this.#seenAt = seenAt
    return monotonicMs() - this.#movedMs
  }
}

function nameOf(error: unknown): string {
  if (error instanceof Failure) return error.code
  return error instanceof Error ? error.name : 'unknown'
}
