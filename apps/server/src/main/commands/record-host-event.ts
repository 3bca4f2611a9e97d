import { readConfig } from '../../config.ts'
import type { Database } from '../../database/index.ts'
import { hostEvent, type SecurityEventFacts, SecurityEvents } from '../../identity/index.ts'
import { createLog, systemClock, systemRandomSource } from '../../kernel/index.ts'
import { openSecurityEventLog } from '../compose/security-event-sink.ts'

/**
 * Records what a command on the host did as a security event: in the database, and in the file of SECURITY_EVENTS_LOG.
 * With `stdout` only in the database, because the command's output is not the service's.
 */
export async function recordHostEvent(
  env: Readonly<Record<string, string | undefined>>,
  db: Database,
  event: Pick<SecurityEventFacts, 'type'> & Partial<SecurityEventFacts>,
): Promise<void> {
  const { securityEventsLog: to } = readConfig(env)
  const log = createLog('warn')
  const lines = to === 'stdout' ? undefined : await openSecurityEventLog(to, log)
  const events = new SecurityEvents({ db, clock: systemClock, random: systemRandomSource, log, lines })
  events.record(hostEvent(event))
  await events.flush({ all: true })
}
