import { backoff } from '../backoff.ts'
import type { Clock } from '../clock.ts'
import { ServiceError } from '../service/service-error.ts'

/** The delay after an empty response that came much earlier than requested. */
const IDLE_MS = 2_000

export interface PollLoopOptions<Work> {
  readonly poll: (waitMs: number, signal: AbortSignal) => Promise<Work | null>
  readonly act: (work: Work) => Promise<void>
  readonly waitMs: number
  readonly concurrency: number
  readonly clock: Clock
  readonly stopping: AbortSignal
  /** Called after every poll with its outcome. */
  readonly onPoll: (error: ServiceError | undefined) => void
}

/**
 * Polls while there is capacity, and backs off while the service is unavailable or refuses the key. Resolves after a stop, once the work in
 * progress is done. `act` must not throw: an exception ends the loop.
 */
export async function pollAndAct<Work>(polling: PollLoopOptions<Work>): Promise<void> {
  const { poll, act, waitMs, concurrency, clock, stopping, onPoll } = polling
  const running = new Set<Promise<void>>()
  let failures = 0
  while (!stopping.aborted) {
    if (running.size >= concurrency) {
      await Promise.race(running)
      continue
    }
    const asked = clock.monotonic()
    let work: Work | null
    try {
      work = await poll(waitMs, stopping)
      failures = 0
      onPoll(undefined)
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      if (stopping.aborted) break
      failures += 1
      onPoll(error)
      await clock.sleep(backoff(failures, clock, error.retryAfterMs), stopping)
      continue
    }
    if (work !== null) {
      const task = act(work).finally(() => running.delete(task))
      running.add(task)
    } else if (clock.monotonic() - asked < Math.min(waitMs, IDLE_MS)) await clock.sleep(IDLE_MS, stopping)
  }
  await Promise.all(running)
}
