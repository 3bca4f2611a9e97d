import { createOutageLog, type Log } from '../../kernel/index.ts'
import { isDatabaseUnavailable } from './is-database-unavailable.ts'
import { isTimeout } from './is-timeout.ts'

/**
 * Logs once that the database is unavailable, and once that it is available again, with failures and seconds. `work` names
 * what failed or succeeded, where one reporter has several: the success of other work ends no outage.
 */
export interface OutageReporter {
  /**
   * Whether the error means that the database is unavailable; then it is logged here, and callers need not log it. A
   * time-out does not: the database responds, and what timed out has a log line of its own.
   */
  reportFailure(error: unknown, work?: string): boolean
  reportRecovery(work?: string): void
  /** This process does that work no longer, so that its success is not awaited. */
  forget(work: string): void
}

export function createOutageReporter(log: Log, part: string): OutageReporter {
  const outage = createOutageLog(log, { away: 'database unavailable', back: 'database available again' })
  const failing = new Set<string>()
  const reportRecovery = (work = '') => {
    // Where nothing is left that failed, any success is a sign.
    if (failing.size > 0 && !failing.has(work)) return
    failing.clear()
    outage.recovered({ part })
  }
  return {
    reportFailure(error, work = '') {
      if (isTimeout(error)) reportRecovery(work)
      if (!isAway(error)) return false
      failing.add(work)
      outage.failed({ err: error, part })
      return true
    },
    reportRecovery,
    forget: (work) => void failing.delete(work),
  }
}

function isAway(error: unknown): boolean {
  if (error instanceof AggregateError && error.errors.some(isTimeout)) return error.errors.some(isAway)
  return isDatabaseUnavailable(error) && !isTimeout(error)
}
