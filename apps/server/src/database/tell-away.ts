import type { Log } from '../kernel/index.ts'
import { isDatabaseAway } from './is-database-away.ts'

/** Tells a log once that the database does not answer, and once that it does again, however many attempts there are. */
export interface AwayTeller {
  /** Whether the error says that the database is away; then it is told, and nobody else has to. */
  failed(error: unknown): boolean
  answered(): void
}

export function tellAway(log: Log, part: string): AwayTeller {
  let away = false
  return {
    failed(error) {
      if (!isDatabaseAway(error)) return false
      if (!away) log.warn({ err: error, part }, 'the database does not answer')
      away = true
      return true
    },
    answered() {
      if (away) log.info({ part }, 'the database answers again')
      away = false
    },
  }
}
