import {
  addMilliseconds,
  type RandomSource,
  WEBHOOK_FAILURES_UNTIL_PAUSE,
  WEBHOOK_PAUSE_MS,
  WEBHOOK_RETRY_AFTER_MS,
} from '../../kernel/index.ts'

/** ±10%, so that deliveries that failed together are not retried together. */
export const JITTER = 0.1

/** When to retry after `tries` failed attempts, the last one at `at`; null if no attempts are left. */
export function nextAttemptAt(tries: number, at: Date, random: RandomSource): Date | null {
  const delay = WEBHOOK_RETRY_AFTER_MS[tries - 1]
  if (delay === undefined) return null
  const [high = 0, low = 0] = random(2)
  const fraction = ((high << 8) | low) / 0xffff
  return addMilliseconds(at, Math.round(delay * (1 - JITTER + 2 * JITTER * fraction)))
}

/** Health of an endpoint, derived from its latest attempts. */
export interface EndpointHealth {
  /** Failed attempts since the last success. */
  readonly failures: number
  /** When the first of these attempts was made. */
  readonly failingSince: Date | null
  /** When a delivery ran out of attempts; the webhook is then marked failing (contract 12). */
  readonly failingAt: Date | null
  /** Nothing is sent before this. */
  readonly pausedUntil: Date | null
}

export const HEALTHY: EndpointHealth = { failures: 0, failingSince: null, failingAt: null, pausedUntil: null }

/**
 * The health after one more attempt. An endpoint that keeps failing is paused for 5 seconds, then longer, up to a minute.
 * `exhausted`: its delivery has no attempts left.
 */
export function healthAfterAttempt(
  health: EndpointHealth,
  { ok, exhausted }: { ok: boolean; exhausted: boolean },
  at: Date,
): EndpointHealth {
  if (ok) return HEALTHY
  const failures = health.failures + 1
  const pauses = failures - WEBHOOK_FAILURES_UNTIL_PAUSE
  return {
    failures,
    failingSince: health.failingSince ?? at,
    failingAt: exhausted ? (health.failingAt ?? at) : health.failingAt,
    pausedUntil:
      pauses < 0
        ? null
        : addMilliseconds(at, Math.min(WEBHOOK_PAUSE_MS.min * 2 ** Math.min(pauses, 10), WEBHOOK_PAUSE_MS.max)),
  }
}

/** Whether to send only one request at a time, to probe a failing endpoint. */
export function isProbing(health: EndpointHealth): boolean {
  return health.failures >= WEBHOOK_FAILURES_UNTIL_PAUSE
}
