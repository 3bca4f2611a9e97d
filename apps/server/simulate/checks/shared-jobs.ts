import { JOB_BACKOFF_MS, WORK_STALLED_MS } from '../../src/kernel/index.ts'
import type { SharingWorker } from '../service/service.ts'
import type { SharedJobs } from '../service/shared-jobs.ts'
import { Violation } from '../violation.ts'

/** What a shared job needs to go on, and how long it may take until it does. */
interface ExpectedProgress {
  readonly job: string
  /** Since when a worker can run it without a failure; `undefined`: none can. */
  readonly possibleSince: Date | undefined
  readonly withinMs: number
}

/**
 * The time until a job that one worker can run has progress again: the worker's own longest rest, and the stalls of all
 * others, which get the job before it. `turnMs`: the longest time between two divisions.
 */
export const withinBackoffs = (workers: readonly SharingWorker[], turnMs: number): number =>
  JOB_BACKOFF_MS.max + workers.length * (WORK_STALLED_MS + 2 * turnMs)

/** A job that some worker can run has progress there after a while, whatever rests where. */
export function expectProgress(jobs: SharedJobs, { job, possibleSince, withinMs }: ExpectedProgress, now: Date): void {
  if (!possibleSince) return
  const since = Math.max(possibleSince.getTime(), jobs.progressOf(job)?.getTime() ?? 0)
  const silentMs = now.getTime() - since
  if (silentMs <= withinMs) return
  throw new Violation(
    `${job} makes no progress for ${silentMs / 1_000} s at worker ${jobs.holderOf(job)?.number}, although another can run it`,
  )
}
