import { createOutageLog, type Log, type OutageLog, SECURITY_EVENTS_BUFFER_MAX } from '../../kernel/index.ts'
import type { SecurityEvent } from './security-event.ts'

/** Appends text to a file or a stream; rejects if it could not. */
export type LineSink = (text: string) => Promise<void>

/**
 * Writes events as lines of JSON for the operator's log collector. Lines that could not be written are kept for the
 * next call, up to a limit; a failure is logged once, with its end, and never thrown.
 */
export class SecurityEventLog {
  readonly #sink: LineSink
  readonly #outage: OutageLog
  #lines: string[] = []

  constructor(sink: LineSink, log: Log) {
    this.#sink = sink
    this.#outage = createOutageLog(log, {
      away: 'failed to write security events to their log',
      back: 'security events are written to their log again',
      level: 'error',
    })
  }

  async write(events: readonly SecurityEvent[]): Promise<void> {
    if (events.length === 0) return
    const lines = [...this.#lines, ...events.map(lineOf)].slice(-SECURITY_EVENTS_BUFFER_MAX)
    this.#lines = []
    try {
      await this.#sink(lines.join(''))
      this.#outage.recovered()
    } catch (error) {
      this.#lines = lines
      this.#outage.failed({ err: error })
    }
  }
}

/** The fields of the API with the same names, on one line. */
function lineOf(event: SecurityEvent): string {
  return `${JSON.stringify(presentSecurityEvent(event))}\n`
}

/** An event as callers of the API and log collectors see it. */
export function presentSecurityEvent(event: SecurityEvent) {
  const { actorType: type, actorId: id } = event
  return {
    id: event.id,
    at: event.at.toISOString(),
    type: event.type,
    organizationId: event.organizationId,
    actor: type === null ? null : { type, id },
    keyId: type === 'key' ? id : null,
    address: event.address,
    userAgent: event.userAgent,
    method: event.method,
    route: event.route,
    status: event.status,
    code: event.code,
    reason: event.reason,
    requestId: event.requestId,
    count: event.count,
    lastAt: event.lastAt.toISOString(),
  }
}
