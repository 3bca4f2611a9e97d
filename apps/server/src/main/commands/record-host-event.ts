import { readConfig } from '../../config.ts'
import type { Database } from '../../database/index.ts'
import { hostEvent, type SecurityEventFacts, SecurityEvents } from '../../identity/index.ts'
import { createLog, systemClock, systemRandomSource } from '../../kernel/index.ts'
import { openSecurityEventLog } from '../compose/security-event-sink.ts'

/** Records a security event of a host command. Never throws: what the command did is done. */
export type HostEventRecorder = (
  db: Database,
  event: Pick<SecurityEventFacts, 'type'> & Partial<SecurityEventFacts>,
) => Promise<void>

/**
 * Opens where a command on the host records what it did: the database, and the file of SECURITY_EVENTS_LOG. With `stdout`
 * only the database, because the command's output is not the service's. Throws if the file cannot be opened: to be called
 * before the command changes anything.
 */
export async function openHostEvents(env: Readonly<Record<string, string | undefined>>): Promise<HostEventRecorder> {
  const { securityEventsLog: to } = readConfig(env)
  const log = createLog('warn')
  const lines = to === 'stdout' ? undefined : await openSecurityEventLog(to, log)
  return async (db, event) => {
    const events = new SecurityEvents({ db, clock: systemClock, random: systemRandomSource, log, lines })
    events.record(hostEvent(event))
    try {
      await events.flush({ all: true })
    } catch (error) {
      log.error({ err: error, type: event.type }, 'failed to record a security event of a command that took effect')
    }
  }
}
