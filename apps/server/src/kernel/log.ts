import { pino } from 'pino'
import { prettyLine } from './pretty-line.ts'
import { traceFields } from './tracing.ts'

export type Log = pino.Logger

/** Fields that must never be readable in a log, wherever they occur (keys, tokens, passwords, signed bytes). */
const SECRET_PATHS = ['authorization', 'password', 'apiKey', 'accessToken', 'refreshToken', 'secret']

/** `auto`: for people on a terminal, JSON elsewhere. */
export type LogFormat = 'auto' | 'pretty' | 'json'

/**
 * Lines on stderr; stdout is reserved for the one `ready` line that scripts wait for. `isTraced`: each line names the
 * span around it.
 */
export function createLog(level: string, format: LogFormat = 'json', isTraced = false): Log {
  const isPretty = format === 'pretty' || (format === 'auto' && process.stderr.isTTY)
  return pino(
    {
      level,
      redact: {
        paths: SECRET_PATHS.flatMap((name) => [name, `*.${name}`, `headers.${name}`, `req.headers["x-api-key"]`]),
        censor: '[redacted]',
      },
      base: null,
      ...(isTraced && { mixin: traceFields }),
    },
    isPretty
      ? { write: (line: string) => void process.stderr.write(prettyLine(line, process.stderr.isTTY)) }
      : pino.destination({ dest: 2, sync: false }),
  )
}

/** A log that discards everything; for tests. */
export const silentLog: Log = pino({ level: 'silent' })
