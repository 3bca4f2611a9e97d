import type { Log } from '../kernel/index.ts'
import { isDatabaseUnavailable } from './is-database-unavailable.ts'

/** Logs once that the database is unavailable, and once that it is available again, however many attempts there are. */
export interface OutageReporter {
  /** Whether the error means that the database is unavailable; then it is logged here, and callers need not log it. */
  reportFailure(error: unknown): boolean
  reportRecovery(): void
}

export function createOutageReporter(log: Log, part: string): OutageReporter {
  let isUnavailable = false
  return {
    reportFailure(error) {
      if (!isDatabaseUnavailable(error)) return false
      if (!isUnavailable) log.warn({ err: error, part }, 'database unavailable')
      isUnavailable = true
      return true
    },
    reportRecovery() {
      if (isUnavailable) log.info({ part }, 'database available again')
      isUnavailable = false
    },
  }
}
