import type { Clock } from './clock.ts'

/** The longest delay after the nth consecutive failure. */
const FIRST_MS = 250
const MOST_MS = 30_000

/** Full jitter: agents that fail together do not retry together. `failures` counts from 1. */
export function backoff(failures: number, { random }: Pick<Clock, 'random'>): number {
  const most = Math.min(MOST_MS, FIRST_MS * 2 ** Math.min(failures - 1, 20))
  return Math.ceil(most * (0.5 + random() / 2))
}
