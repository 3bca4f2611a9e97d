import { sql } from 'kysely'
import type { Database } from '../../database/index.ts'
import type { Log } from '../../kernel/index.ts'

/** Tells streams that there are new events of their organization. One for a process. */
export interface EventFeed {
  subscribe(organizationId: number): EventSubscription
}

/** One stream's watch over its organization's events. */
export interface EventSubscription {
  /**
   * Resolves when events have taken their place in line since the last call (at once, if they have already), when it
   * was quiet for `quietMs`, or when the signal aborts. Whoever reads after each call misses none.
   */
  waitForEvents(signal: AbortSignal, quietMs: number): Promise<'new' | 'quiet'>
  unsubscribe(): void
}

/** How often the line is looked at while anybody follows it; it is one look for all of them. */
const POLL_MS = 100

interface Subscriber {
  readonly organizationId: number
  isNew: boolean
  wake: () => void
}

export function createEventFeed({ db, log }: { readonly db: Database; readonly log: Log }): EventFeed {
  const watches = new Set<Subscriber>()
  let position: number | undefined
  let isLooking = false

  async function look(): Promise<void> {
    try {
      const line = await newSince(db, position)
      // Of what came before the first look nobody can say who has seen it: all look for themselves.
      const told = position === undefined ? undefined : new Set(line.organizations)
      position = line.position
      for (const watch of watches) {
        if (told && !told.has(watch.organizationId)) continue
        watch.isNew = true
        watch.wake()
      }
    } catch (error) {
      log.warn({ err: error }, 'new events could not be looked for')
    }
  }

  /** Looks as long as anybody follows. */
  function keepLooking(): void {
    if (isLooking) return
    isLooking = true
    setTimeout(async () => {
      await look()
      isLooking = false
      if (watches.size > 0) keepLooking()
      else position = undefined
    }, POLL_MS)
  }

  return {
    subscribe(organizationId) {
      const watch: Subscriber = { organizationId, isNew: true, wake: () => {} }
      watches.add(watch)
      keepLooking()
      return {
        async waitForEvents(signal, quietMs) {
          if (!watch.isNew && !signal.aborted) await waitForWake(watch, signal, quietMs)
          const { isNew } = watch
          watch.isNew = false
          return isNew ? 'new' : 'quiet'
        },
        unsubscribe: () => watches.delete(watch),
      }
    },
  }
}

function waitForWake(watch: Subscriber, signal: AbortSignal, quietMs: number): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      watch.wake = () => {}
      resolve()
    }
    const timer = setTimeout(done, quietMs)
    watch.wake = done
    signal.addEventListener('abort', done)
  })
}

/** How far the line is, and whose events stand behind `position` in it. */
async function newSince(
  db: Database,
  position: number | undefined,
): Promise<{ position: number; organizations: readonly number[] }> {
  const { rows } = await sql<{ last_position: number; organizations: number[] | null }>`
    select last_position, (select array_agg(distinct organization_id) from outbox
      where position > ${position ?? null}::bigint) as organizations
    from event_relay
  `.execute(db)
  return { position: rows[0]?.last_position ?? 0, organizations: rows[0]?.organizations ?? [] }
}
