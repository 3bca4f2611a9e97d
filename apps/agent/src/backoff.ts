import type { Clock } from './clock.ts'

/** The longest delay after the nth consecutive failure. */
const FIRST_MS = 250
const MOST_MS = 30_000

/**
 * Jitter: agents that fail together do not retry together. `failures` counts from 1. Never less than what the service
 * asked for, nor less than without it: it may ask for no delay at all.
 */
export function backoff(failures: number, { random }: Pick<Clock, 'random'>, askedMs = 0): number {
  const most = Math.min(MOST_MS, FIRST_MS * 2 ** Math.min(failures - 1, 20))
  return Math.max(askedMs, Math.ceil(most * (0.5 + random() / 2)))
}
