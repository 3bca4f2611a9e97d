import { settledWithin } from './settled-within.ts'

interface Pace {
  /** How long after the first request the work begins: what else is requested until then is part of it. */
  readonly settleMs: number
  /** The shortest time from one beginning to the next. */
  readonly intervalMs: number
  /** How long the next run waits for one that does not end. */
  readonly longestMs: number
}

/**
 * Does the same work for many requests. However steadily they come, the first one starts the clock; those that come
 * while the work runs lead to one more run, because it may have begun too early for them.
 */
export function paced(work: () => Promise<unknown>, { settleMs, intervalMs, longestMs }: Pace) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let begunAt = Number.NEGATIVE_INFINITY
  let isRunning = false
  let isAsked = false
  let isStopped = false
  const plan = () => {
    timer = setTimeout(() => void run(), Math.max(settleMs, begunAt + intervalMs - Date.now()))
  }
  const run = async () => {
    timer = undefined
    isAsked = false
    isRunning = true
    begunAt = Date.now()
    await settledWithin(
      work().catch(() => undefined),
      longestMs,
    )
    isRunning = false
    if (isAsked && !isStopped) plan()
  }
  return {
    ask(): void {
      if (isRunning) isAsked = true
      else if (timer === undefined && !isStopped) plan()
    },
    stop(): void {
      isStopped = true
      clearTimeout(timer)
    },
  }
}
