import { pino } from 'pino'

export type Log = pino.Logger

/** Fields that must never be readable in a log, wherever they occur (keys, tokens, passwords, signed bytes). */
const SECRET_PATHS = ['authorization', 'password', 'apiKey', 'accessToken', 'refreshToken', 'secret']

/** JSON lines on stderr; stdout is reserved for the one `ready` line that scripts wait for. */
export function createLog(level: string): Log {
  return pino(
    {
      level,
      redact: {
        paths: SECRET_PATHS.flatMap((name) => [name, `*.${name}`, `headers.${name}`, `req.headers["x-api-key"]`]),
        censor: '[redacted]',
      },
      base: null,
    },
    pino.destination({ dest: 2, sync: false }),
  )
}

/** A log that discards everything; for tests. */
export const silentLog: Log = pino({ level: 'silent' })
