import { addMilliseconds, type RandomSource } from '../../kernel/index.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** How long after each failed attempt the next one is made (contract 12); after the last of them there is none. */
export const RETRY_AFTER_MS = [
  5 * SECOND,
  MINUTE,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  6 * HOUR,
  24 * HOUR,
] as const satisfies readonly number[]

/** A tenth more or less, so that what failed together does not come back together. */
export const JITTER = 0.1

/** When a delivery is tried again after `tries` attempts that failed, the last of them at `at`; null: no more. */
export function nextAttemptAt(tries: number, at: Date, random: RandomSource): Date | null {
  const pause = RETRY_AFTER_MS[tries - 1]
  if (pause === undefined) return null
  const [high = 0, low = 0] = random(2)
  const turn = ((high << 8) | low) / 0xffff
  return addMilliseconds(at, Math.round(pause * (1 - JITTER + 2 * JITTER * turn)))
}

/** What a webhook's last attempts say of its receiver. */
export interface EndpointHealth {
  /** Attempts that failed since the last one that succeeded. */
  readonly failures: number
  /** When the first of them was made. */
  readonly failingSince: Date | null
  /** When a delivery ran out of attempts; the webhook is then marked failing (contract 12). */
  readonly failingAt: Date | null
  /** Nothing is sent before this. */
  readonly pausedUntil: Date | null
}

export const HEALTHY: EndpointHealth = { failures: 0, failingSince: null, failingAt: null, pausedUntil: null }

/** So many failures in a row pause everything for a receiver, not only what has failed. */
const FAILURES_UNTIL_PAUSE = 5
const PAUSE_MS = { first: 5 * SECOND, most: MINUTE } as const

/**
 * The health after one more attempt. A receiver that fails again and again is left alone for 5 seconds, then longer,
 * up to a minute: what waits for it would only wait in its queue. `exhausted`: it was the last attempt of a delivery.
 */
export function healthAfterAttempt(
  health: EndpointHealth,
  { ok, exhausted }: { ok: boolean; exhausted: boolean },
  at: Date,
): EndpointHealth {
  if (ok) return HEALTHY
  const failures = health.failures + 1
  const pauses = failures - FAILURES_UNTIL_PAUSE
  return {
    failures,
    failingSince: health.failingSince ?? at,
    failingAt: exhausted ? (health.failingAt ?? at) : health.failingAt,
    pausedUntil:
      pauses < 0 ? null : addMilliseconds(at, Math.min(PAUSE_MS.first * 2 ** Math.min(pauses, 10), PAUSE_MS.most)),
  }
}

/** Whether one request at a time is enough to learn how the receiver is. */
export function isProbing(health: EndpointHealth): boolean {
  return health.failures >= FAILURES_UNTIL_PAUSE
}
