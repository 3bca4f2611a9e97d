import { createOutageLog, type Log, type OutageLog, SECURITY_EVENTS_BUFFER_MAX } from '../../kernel/index.ts'
import type { SecurityEvent } from './security-event.ts'

/** Appends text to a file or a stream; rejects if it could not. */
export type LineSink = (text: string) => Promise<void>

/**
 * Writes events as lines of JSON for the operator's log collector. Lines that could not be written are kept for the
 * next call, up to a limit; a failure is logged once, with its end, and never thrown. One text is written at a time: while
 * a disk hangs, nobody waits for it.
 */
export class SecurityEventLog {
  readonly #sink: LineSink
  readonly #outage: OutageLog
  #lines: string[] = []
  #writing: Promise<void> | undefined
  /** The last text may have been written in part: without a line end, the next one would continue its last line. */
  #isTorn = false

  constructor(sink: LineSink, log: Log) {
    this.#sink = sink
    this.#outage = createOutageLog(log, {
      away: 'failed to write security events to their log',
      back: 'security events are written to their log again',
      level: 'error',
    })
  }

  /** Returns at once. */
  write(events: readonly SecurityEvent[]): void {
    if (events.length === 0) return
    this.#keep(events.map(lineOf))
    this.#writing ??= this.#writeAll()
  }

  /** Resolves when everything so far was written, or the last attempt failed; a disk that hangs delays it without end. */
  async written(): Promise<void> {
    await this.#writing
  }

  async #writeAll(): Promise<void> {
    let isWritten = true
    while (isWritten && this.#lines.length > 0) isWritten = await this.#writeOnce()
    this.#writing = undefined
  }

  async #writeOnce(): Promise<boolean> {
    const lines = this.#lines
    this.#lines = []
    try {
      await this.#sink(`${this.#isTorn ? '\n' : ''}${lines.join('')}`)
      this.#isTorn = false
      this.#outage.recovered()
      return true
    } catch (error) {
      const later = this.#lines
      this.#lines = lines
      this.#keep(later)
      this.#isTorn = true
      this.#outage.failed({ err: error })
      return false
    }
  }

  #keep(lines: readonly string[]): void {
    this.#lines = [...this.#lines, ...lines].slice(-SECURITY_EVENTS_BUFFER_MAX)
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
