import type { Database } from '../../database/index.ts'
import { addMilliseconds, EVENT_REST_MS } from '../../kernel/index.ts'

/**
 * Organizations of which one event alone ran into a time-out. The relay publishes the events of others without them, and
 * tries them again by themselves, at growing intervals.
 */
export class RestingOrganizations {
  readonly #rests = new Map<number, { readonly until: Date; readonly ms: number }>()

  organizations(): readonly number[] {
    return [...this.#rests.keys()]
  }

  has(organizationId: number): boolean {
    return this.#rests.has(organizationId)
  }

  /** Those to try again. A time that lies further ahead than any rest was set by a clock that has been put right. */
  due(now: Date): readonly number[] {
    const latest = addMilliseconds(now, EVENT_REST_MS.max)
    return [...this.#rests].flatMap(([id, { until }]) => (until <= now || until > latest ? [id] : []))
  }

  begin(organizationId: number, now: Date): void {
    const before = this.#rests.get(organizationId)
    const ms = before ? Math.min(before.ms * 2, EVENT_REST_MS.max) : EVENT_REST_MS.first
    this.#rests.set(organizationId, { until: addMilliseconds(now, ms), ms })
  }

  end(organizationId: number): void {
    this.#rests.delete(organizationId)
  }
}

const kept = new WeakMap<Database, RestingOrganizations>()

/** Those of this process, by database. */
export function restsOf(db: Database): RestingOrganizations {
  const rests = kept.get(db) ?? new RestingOrganizations()
  kept.set(db, rests)
  return rests
}
