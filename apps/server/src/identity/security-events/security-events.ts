import type { Database } from '../../database/index.ts'
import {
  type Clock,
  createOutageLog,
  type Log,
  type OutageLog,
  type RandomSource,
  SECURITY_EVENT_FLUSH_MS,
  SECURITY_EVENT_GROUPS_MAX,
  SECURITY_EVENT_LINES_WAIT_MS,
  SECURITY_EVENT_WINDOW_MS,
  SECURITY_EVENTS_BUFFER_MAX,
  SECURITY_EVENTS_PER_GROUP_MAX,
  SECURITY_EVENTS_PER_WINDOW_MAX,
  settlesWithin,
  uuidV7,
} from '../../kernel/index.ts'
import { insertSecurityEvents } from './insert-security-events.ts'
import { mergeEvents } from './merge-events.ts'
import type { SecurityEvent, SecurityEventFacts, SecurityEventRecorder } from './security-event.ts'
import type { SecurityEventLog } from './security-event-log.ts'

interface SecurityEventsParts {
  readonly db: Database
  readonly clock: Clock
  readonly random: RandomSource
  readonly log: Log
  /** Where lines for the operator go; none if absent. */
  readonly lines?: SecurityEventLog | undefined
}

/**
 * Writes security events in batches in the background, so that a refused request waits for nothing. Cost under a flood
 * is bounded: per minute, a group (type, network, organization) writes its first events one by one and merges the
 * others into one row with a count; beyond a number of rows or groups, events of all addresses are merged by type and
 * organization.
 *
 * A killed process loses what it had not written: a second of single events and a minute of merged ones.
 */
export class SecurityEvents implements SecurityEventRecorder {
  readonly #parts: SecurityEventsParts
  readonly #outage: OutageLog
  #unwritten: SecurityEvent[] = []
  #windowEnd = 0
  #singles = 0
  #singlesByGroup = new Map<string, number>()
  #merged = new Map<string, SecurityEvent>()
  #dropped = 0
  #latest = 0
  #sequence = 0
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> = Promise.resolve()

  constructor(parts: SecurityEventsParts) {
    this.#parts = parts
    this.#outage = createOutageLog(parts.log, {
      away: 'failed to write security events; retrying',
      back: 'security events are written again',
    })
  }

  record(facts: SecurityEventFacts, group: string = facts.address ?? ''): void {
    const at = this.#parts.clock.now()
    if (this.#isOver(at)) this.#closeWindow(at)
    const event = { ...facts, id: this.#idAt(at), at, lastAt: at, count: 1 }
    const key = `${facts.type} ${facts.organizationId} ${group}`
    const singles = this.#singlesByGroup.get(key) ?? 0
    if (singles < SECURITY_EVENTS_PER_GROUP_MAX && this.#singles < SECURITY_EVENTS_PER_WINDOW_MAX) {
      this.#singlesByGroup.set(key, singles + 1)
      this.#singles += 1
      this.#keep([event])
    } else this.#merge(key, event)
    this.#timer ??= this.#schedule()
  }

  /**
   * Writes every single event and waits for it; `all` also writes merged ones before their minute is over, and waits for
   * the operator's lines, for two seconds at most.
   */
  async flush({ all = false }: { readonly all?: boolean } = {}): Promise<void> {
    if (all) this.#closeWindow(this.#parts.clock.now())
    const earlier = this.#writing
    const current = earlier.then(() => this.#write())
    this.#writing = current.catch(() => undefined)
    await current
    if (all && this.#parts.lines) await settlesWithin(this.#parts.lines.written(), SECURITY_EVENT_LINES_WAIT_MS)
  }

  /** Events of one millisecond sort as they were recorded. */
  #idAt(at: Date): string {
    this.#sequence = at.getTime() === this.#latest ? this.#sequence + 1 : 0
    this.#latest = at.getTime()
    return uuidV7(this.#parts.random, at, this.#sequence)
  }

  #merge(key: string, event: SecurityEvent): void {
    const isNew = !this.#merged.has(key)
    const broad = isNew && this.#merged.size >= SECURITY_EVENT_GROUPS_MAX
    const group = broad ? `${event.type} ${event.organizationId}` : key
    const found = this.#merged.get(group)
    this.#merged.set(group, found === undefined ? event : mergeEvents(found, event))
  }

  /** Also when the clock was set back: the window would last until it caught up. */
  #isOver(now: Date): boolean {
    const remaining = this.#windowEnd - now.getTime()
    return remaining <= 0 || remaining > SECURITY_EVENT_WINDOW_MS
  }

  #closeWindow(at: Date): void {
    this.#keep([...this.#merged.values()])
    this.#merged = new Map()
    this.#singlesByGroup = new Map()
    this.#singles = 0
    this.#windowEnd = at.getTime() + SECURITY_EVENT_WINDOW_MS
  }

  /** Queues events for writing; drops the oldest while the database is unavailable for long. */
  #keep(events: readonly SecurityEvent[]): void {
    this.#unwritten.push(...events)
    const excess = this.#unwritten.length - SECURITY_EVENTS_BUFFER_MAX
    if (excess <= 0) return
    this.#unwritten.splice(0, excess)
    this.#dropped += excess
  }

  #schedule(): NodeJS.Timeout {
    return setTimeout(() => void this.#flushInBackground(), SECURITY_EVENT_FLUSH_MS).unref()
  }

  async #flushInBackground(): Promise<void> {
    const now = this.#parts.clock.now()
    if (this.#isOver(now)) this.#closeWindow(now)
    try {
      await this.flush()
      this.#outage.recovered({ dropped: this.#dropped })
    } catch (error) {
      this.#outage.failed({ err: error, dropped: this.#dropped })
    }
    this.#timer = this.#unwritten.length > 0 || this.#merged.size > 0 ? this.#schedule() : undefined
  }

  async #write(): Promise<void> {
    const events = this.#unwritten
    this.#unwritten = []
    try {
      await insertSecurityEvents(this.#parts.db, events)
    } catch (error) {
      const later = this.#unwritten
      this.#unwritten = []
      this.#keep([...events, ...later])
      throw error
    }
    this.#parts.lines?.write(events)
  }
}
