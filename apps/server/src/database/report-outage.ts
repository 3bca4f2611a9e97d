import type { Log } from '../kernel/index.ts'
import { isDatabaseUnavailable } from './is-database-unavailable.ts'

/** Tells a log once that the database does not answer, and once that it does again, however many attempts there are. */
export interface OutageReporter {
  /** Whether the error says that the database is away; then it is told, and nobody else has to. */
  reportFailure(error: unknown): boolean
  reportRecovery(): void
}

export function createOutageReporter(log: Log, part: string): OutageReporter {
  let away = false
  return {
    reportFailure(error) {
      if (!isDatabaseUnavailable(error)) return false
      if (!away) log.warn({ err: error, part }, 'the database does not answer')
      away = true
      return true
    },
    reportRecovery() {
      if (away) log.info({ part }, 'the database answers again')
      away = false
    },
  }
}
