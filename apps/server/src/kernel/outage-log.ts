import type { Log } from './log.ts'

/** Logs the start of an outage once, and its end once with the number of failures and its length. */
export interface OutageLog {
  /** One more failed attempt; only the first is logged. */
  failed(facts: Readonly<Record<string, unknown>>): void
  /** An attempt succeeded; logged if one had failed. */
  recovered(facts?: Readonly<Record<string, unknown>>): void
}

interface OutageSentences {
  readonly away: string
  readonly back: string
  /** The level of the first line; the last one is `info`. */
  readonly level?: 'warn' | 'error'
}

export function createOutageLog(log: Log, { away, back, level = 'warn' }: OutageSentences): OutageLog {
  let failures = 0
  let since = 0
  return {
    failed(facts) {
      failures += 1
      if (failures > 1) return
      since = performance.now()
      log[level](facts, away)
    },
    recovered(facts = {}) {
      if (failures === 0) return
      log.info({ ...facts, failures, seconds: Math.round((performance.now() - since) / 1_000) }, back)
      failures = 0
    },
  }
}
