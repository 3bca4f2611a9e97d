const EVERY_SECONDS = 10

/** Calls `tick` repeatedly; the returned function stops it. */
export type RepeatTimer = (tick: () => void) => () => void

const everyTenSeconds: RepeatTimer = (tick) => {
  const timer = setInterval(tick, EVERY_SECONDS * 1_000)
  return () => clearInterval(timer)
}

/**
 * Runs something that may take long and prints every ten seconds what it is waiting for: a slow machine must not look
 * stuck. `what` is read each time.
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
