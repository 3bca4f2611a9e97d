import type { Logger } from 'pino'
import type { Clock } from '../clock.ts'

/** Logs the start of each outage once, and its end once with the number of failures and its length. */
export interface Outages {
  /** One more failed attempt at this part; only the first is logged. */
  failed(part: string, facts: Readonly<Record<string, unknown>>): void
  /** An attempt succeeded; logged if one had failed. */
  recovered(part: string, facts?: Readonly<Record<string, unknown>>): void
}

interface OutageOptions {
  readonly log: Pick<Logger, 'warn' | 'info'>
  readonly clock: Pick<Clock, 'monotonic'>
  readonly away: string
  readonly back: string
}

export function createOutages({ log, clock, away, back }: OutageOptions): Outages {
  const current = new Map<string, { failures: number; readonly since: number }>()
  return {
    failed(part, facts) {
      const outage = current.get(part)
      if (outage) outage.failures += 1
      else {
        current.set(part, { failures: 1, since: clock.monotonic() })
        log.warn(facts, away)
      }
    },
    recovered(part, facts = {}) {
      const outage = current.get(part)
      if (!outage) return
      current.delete(part)
      const seconds = Math.round((clock.monotonic() - outage.since) / 1_000)
      log.info({ ...facts, failures: outage.failures, seconds }, back)
    },
  }
}
