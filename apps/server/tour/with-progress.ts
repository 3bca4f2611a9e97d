const EVERY_SECONDS = 10

/** Calls `tick` again and again until what it returned is called. */
export type RepeatTimer = (tick: () => void) => () => void

const everyTenSeconds: RepeatTimer = (tick) => {
  const timer = setInterval(tick, EVERY_SECONDS * 1_000)
  return () => clearInterval(timer)
}

/**
 * Does something that may take long, and says every ten seconds what is waited for, so that nobody takes a slow machine
 * for one that stands still. `what` may be another thing each time.
 */
export async function withProgress<T>(
  say: (line: string) => void,
  what: string | (() => string),
  work: () => Promise<T>,
  repeat: RepeatTimer = everyTenSeconds,
): Promise<T> {
  let seconds = 0
  const stop = repeat(() => {
    seconds += EVERY_SECONDS
    say(`… still waiting for ${typeof what === 'string' ? what : what()} (${seconds} s)`)
  })
  try {
    return await work()
  } finally {
    stop()
  }
}
