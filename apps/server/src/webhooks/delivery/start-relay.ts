import { listenToEventWrites, type PeriodicRunner } from '../../database/index.ts'
import { EVENT_RELAY_AFTER_WRITE_SECONDS, EVENT_RELAY_POLL_SECONDS } from '../../kernel/index.ts'
import { type RelayParts, relayEvents } from './relay-events.ts'

export interface RelayOptions {
  /** Whether this process also serves requests: it then hears of the events that they write. */
  readonly role: 'worker' | 'all'
  /** Deliveries are due. */
  readonly onRelayed: () => void
}

/**
 * Relays events for as long as the runner works: its own soon after they are written, others at the next poll. A writer
 * announces an event before it commits, so a round that finds nothing is followed by a later one.
 */
export function startRelay(
  periodic: PeriodicRunner,
  parts: RelayParts,
  { role, onRelayed }: RelayOptions,
): { stop(): void } {
  /** The next delay of those after a write; past the last one there is only the poll. */
  let next: number = EVENT_RELAY_AFTER_WRITE_SECONDS.length
  const lookAgain = () => {
    const delay = EVENT_RELAY_AFTER_WRITE_SECONDS[next]
    if (delay !== undefined) wakeJob(delay)
  }
  const wakeJob = periodic.everywhere('relay events', EVENT_RELAY_POLL_SECONDS[role], async () => {
    next += 1
    if ((await relayEvents(parts, () => wakeJob(0))) > 0) onRelayed()
    lookAgain()
  })
  const stop = listenToEventWrites(() => {
    next = 0
    lookAgain()
  })
  return { stop }
}
