import { pino } from 'pino'
import type { Log } from '../src/kernel/index.ts'

type LoggedLine = Readonly<Record<string, unknown>> & { readonly msg: string }

export interface LoggedLines {
  readonly log: Log
  /** Since the last {@link LoggedLines.take}; oldest first. */
  readonly lines: readonly LoggedLine[]
  /** The messages since then. */
  take(): string[]
}

/** A log whose lines a test reads. */
export function loggedLines(): LoggedLines {
  const lines: LoggedLine[] = []
  return {
    log: pino({ base: null }, { write: (line: string) => void lines.push(JSON.parse(line)) }),
    lines,
    take: () => lines.splice(0).map(({ msg }) => msg),
  }
}
