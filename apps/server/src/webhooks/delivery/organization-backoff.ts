import type { Database } from '../../database/index.ts'
import { addMilliseconds, EVENT_BACKOFF_MS } from '../../kernel/index.ts'

/**
 * Organizations of which one event alone ran into a time-out. The relay publishes the events of others without them, and
 * tries them again by themselves, at growing intervals.
 */
export class OrganizationBackoff {
  readonly #backoffs = new Map<number, { readonly until: Date; readonly ms: number }>()

  organizations(): readonly number[] {
    return [...this.#backoffs.keys()]
  }

  has(organizationId: number): boolean {
    return this.#backoffs.has(organizationId)
  }

  /** Those to try again. A time that lies further ahead than any rest was set by a clock that has been put right. */
  due(now: Date): readonly number[] {
    const latest = addMilliseconds(now, EVENT_BACKOFF_MS.max)
    return [...this.#backoffs].flatMap(([id, { until }]) => (until <= now || until > latest ? [id] : []))
  }

  begin(organizationId: number, now: Date): void {
    const before = this.#backoffs.get(organizationId)
    const ms = before ? Math.min(before.ms * 2, EVENT_BACKOFF_MS.max) : EVENT_BACKOFF_MS.first
    this.#backoffs.set(organizationId, { until: addMilliseconds(now, ms), ms })
  }

  end(organizationId: number): void {
    this.#backoffs.delete(organizationId)
  }
}

const kept = new WeakMap<Database, OrganizationBackoff>()

/** Those of this process, by database. */
export function backoffOf(db: Database): OrganizationBackoff {
  const backoff = kept.get(db) ?? new OrganizationBackoff()
  kept.set(db, backoff)
  return backoff
}
