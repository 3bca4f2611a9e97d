import type { Logger } from 'pino'
import type { Clock } from '../clock.ts'

type Level = 'error' | 'info' | 'warn'

/** Logs the start of each outage once, and its end once with the number of failures and its length. */
export interface Outages {
  /** One more failed attempt at this part; only the first is logged, and the first for each other `cause` and text. */
  failed(part: string, facts: Readonly<Record<string, unknown>>, said?: OutageLine): void
  /** An attempt succeeded; logged if one had failed. */
  recovered(part: string, facts?: Readonly<Record<string, unknown>>): void
}

/** What is said about a failed attempt, where it differs from the usual. */
export interface OutageLine {
  readonly away?: string
  readonly cause?: string
  readonly level?: Level
}

interface OutageOptions extends Required<Pick<OutageLine, 'away'>> {
  readonly log: Pick<Logger, 'error' | 'info' | 'warn'>
  readonly clock: Pick<Clock, 'monotonic'>
  readonly back: string
  readonly level?: Level
}

interface Outage {
  readonly since: number
  readonly said: Set<string>
  failures: number
}

/** Bounds memory: of more outages at once, those that failed longest ago are forgotten. */
const REMEMBERED_MAX = 10_000
/** Bounds the lines about an error whose text always differs. */
const LINES_MAX = 10

export function createOutages({ log, clock, away, back, level = 'warn' }: OutageOptions): Outages {
  const current = new Map<string, Outage>()
  return {
    failed(part, facts, said = {}) {
      const outage = current.get(part) ?? { since: clock.monotonic(), said: new Set(), failures: 0 }
      current.delete(part)
      current.set(part, outage)
      const [oldest] = current.keys()
      if (current.size > REMEMBERED_MAX && oldest !== undefined) current.delete(oldest)
      outage.failures += 1
      const text = said.away ?? away
      const line = `${text} ${said.cause ?? ''}`
      if (outage.said.has(line) || outage.said.size >= LINES_MAX) return
      outage.said.add(line)
      log[said.level ?? level](facts, text)
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
