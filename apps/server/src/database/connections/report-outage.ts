import { createOutageLog, type Log } from '../../kernel/index.ts'
import { isDatabaseUnavailable } from './is-database-unavailable.ts'

/** Logs once that the database is unavailable, and once that it is available again, with failures and seconds. */
export interface OutageReporter {
  /** Whether the error means that the database is unavailable; then it is logged here, and callers need not log it. */
  reportFailure(error: unknown): boolean
  reportRecovery(): void
}

export function createOutageReporter(log: Log, part: string): OutageReporter {
  const outage = createOutageLog(log, { away: 'database unavailable', back: 'database available again' })
  return {
    reportFailure(error) {
      if (!isDatabaseUnavailable(error)) return false
      outage.failed({ err: error, part })
      return true
    },
    reportRecovery() {
      outage.recovered({ part })
    },
  }
}
