/** Time and randomness are arguments, so that tests control both. */
export interface Clock {
  now(): Date
  /** Monotonic milliseconds. Leases use them, so that changes of the machine's date have no effect. */
  monotonic(): number
  /** Resolves after the delay, or as soon as `signal` aborts. Never rejects. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>
  /** From 0 to 1. */
  random(): number
}

export const systemClock: Clock = {
  now: () => new Date(),
  monotonic: () => performance.now(),
  sleep: (milliseconds, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve()
      const done = () => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', done)
        resolve()
      }
      const timer = setTimeout(done, milliseconds)
      signal?.addEventListener('abort', done)
    }),
  random: Math.random,
}

/**
 * The date for limits over time. It never runs ahead of the monotonic clock: setting the machine's date forward frees
 * nothing before the process starts again. Where the date is set back, it is the date.
 */
export function steadyClock(clock: Pick<Clock, 'now' | 'monotonic'>): Pick<Clock, 'now'> {
  const [began, from] = [clock.now().getTime(), clock.monotonic()]
  return { now: () => new Date(Math.min(clock.now().getTime(), began + clock.monotonic() - from)) }
}
