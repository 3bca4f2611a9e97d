import { sql } from 'kysely'
import { createOutageReporter, type Database } from '../../database/index.ts'
import { createOutageLogs, EVENT_FEED_POLL_INTERVAL_MS, type Log } from '../../kernel/index.ts'

/** Notifies streams of new events of their organization. One per process. */
export interface EventFeed {
  subscribe(organizationId: number): EventSubscription
}

/** One stream's subscription to its organization's events. */
export interface EventSubscription {
  /**
   * Resolves when events were relayed since the last call (at once, if some already were), after `quietMs` without events,
   * or when the signal aborts. A caller that reads after each call misses none.
   */
  waitForEvents(signal: AbortSignal, quietMs: number): Promise<'new' | 'quiet'>
  unsubscribe(): void
}

interface Subscriber {
  readonly organizationId: number
  isNew: boolean
  wake: () => void
}

export function createEventFeed({ db, log }: { readonly db: Database; readonly log: Log }): EventFeed {
  const subscribers = new Set<Subscriber>()
  const outages = createOutageReporter(log, 'event streams')
  const failures = createOutageLogs(log, {
    away: 'failed to poll for new events',
    back: 'new events can be polled for again',
  })
  let position: number | undefined
  let isPolling = false

  async function poll(): Promise<void> {
    try {
      const update = await newSince(db, position)
      outages.reportRecovery()
      failures.recovered({})
      // On the first poll it is unknown which events each stream has seen, so all are woken.
      const organizations = position === undefined ? undefined : new Set(update.organizations)
      position = update.position
      for (const subscriber of subscribers) {
        if (organizations && !organizations.has(subscriber.organizationId)) continue
        subscriber.isNew = true
        subscriber.wake()
      }
    } catch (error) {
      if (!outages.reportFailure(error)) failures.failed({}, { err: error })
    }
  }

  /** Polls while there are subscribers. */
  function keepPolling(): void {
    if (isPolling) return
    isPolling = true
    setTimeout(async () => {
      await poll()
      isPolling = false
      if (subscribers.size > 0) keepPolling()
      else position = undefined
    }, EVENT_FEED_POLL_INTERVAL_MS)
  }

  return {
    subscribe(organizationId) {
      const subscriber: Subscriber = { organizationId, isNew: true, wake: () => {} }
      subscribers.add(subscriber)
      keepPolling()
      return {
        async waitForEvents(signal, quietMs) {
          if (!subscriber.isNew && !signal.aborted) await waitForWake(subscriber, signal, quietMs)
          const { isNew } = subscriber
          subscriber.isNew = false
          return isNew ? 'new' : 'quiet'
        },
        unsubscribe: () => subscribers.delete(subscriber),
      }
    },
  }
}

function waitForWake(subscriber: Subscriber, signal: AbortSignal, quietMs: number): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      subscriber.wake = () => {}
      resolve()
    }
    const timer = setTimeout(done, quietMs)
    subscriber.wake = done
    signal.addEventListener('abort', done)
  })
}

/** The last relayed position, and the organizations with events after `position`. */
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
