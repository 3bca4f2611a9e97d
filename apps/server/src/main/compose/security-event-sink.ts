import { appendFile } from 'node:fs/promises'
import type { Config } from '../../config.ts'
import { type LineSink, SecurityEventLog } from '../../identity/index.ts'
import type { Log } from '../../kernel/index.ts'

/**
 * The log of security events that SECURITY_EVENTS_LOG names; `undefined` if it is off. A file is opened for each batch,
 * so that it can be renamed and rotated. Throws if it cannot be written.
 */
export async function openSecurityEventLog(
  to: Config['securityEventsLog'],
  log: Log,
): Promise<SecurityEventLog | undefined> {
  if (to === 'off') return undefined
  if (to === 'stdout') return new SecurityEventLog(toStdout, log)
  const sink = appendTo(to.path)
  await sink('')
  return new SecurityEventLog(sink, log)
}

function appendTo(path: string): LineSink {
  return (text) => appendFile(path, text, { mode: 0o600 })
}

const toStdout: LineSink = (text) =>
  new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => (error ? reject(error) : resolve()))
  })
