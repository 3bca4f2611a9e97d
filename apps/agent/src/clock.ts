/** Time and chance are arguments, so that a test says when it is and what comes up. */
export interface Clock {
  now(): Date
  /** Milliseconds that only ever grow: leases are measured by it, whatever happens to the machine's date. */
  monotonic(): number
  /** Resolves after so long, or at once when `signal` is aborted. Never rejects. */
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
