import type { Say } from './layout.ts'
import type { People } from './people.ts'
import { until } from './until.ts'
import { startWebhookReceiver, type WebhookEvent } from './webhook-receiver.ts'

/** A webhook of the organization that prints each event, once its signature is verified. */
export interface DeliveredEvents {
  /**
   * Waits until an event of this name is listed, and every listed one has arrived; returns their number. Weir lists an
   * event a moment after the change that it reports: the list alone does not say which one is the last.
   */
  through(last: string): Promise<number>
  stop(): Promise<void>
}

interface Listed {
  readonly id: number
  readonly event: string
}

interface EventPage {
  readonly events: readonly Listed[]
  readonly cursor: number | null
  readonly hasMore: boolean
}

export async function deliverEvents(people: People, say: Say): Promise<DeliveredEvents> {
  const arrived = new Set<string>()
  const receiver = await startWebhookReceiver((event) => {
    // A delivery may be repeated; its id says so.
    if (arrived.has(event.id)) return
    arrived.add(event.id)
    say(lineOf(event))
  })
  const since = (await eventsAfter(people, 0)).cursor
  const { secret } = await people.post<{ secret: string }>('/api/core/webhooks', { url: receiver.url, events: ['*'] })
  receiver.setSecret(secret)
  return {
    through: (last) =>
      until(say, 'the last webhooks', async () => {
        const { events } = await eventsAfter(people, since)
        const isListed = events.some(({ event }) => event === last)
        return isListed && events.every(({ id }) => arrived.has(`evt_${id}`)) ? events.length : undefined
      }),
    stop: () => receiver.stop(),
  }
}

/** All events after one, and where the list ends. */
async function eventsAfter(people: People, after: number): Promise<{ events: Listed[]; cursor: number }> {
  const events: Listed[] = []
  let cursor = after
  for (let hasMore = true; hasMore; ) {
    const page = await people.get<EventPage>(`/api/core/events?after=${cursor}&limit=100`)
    events.push(...page.events)
    cursor = page.cursor ?? cursor
    hasMore = page.hasMore
  }
  return { events, cursor }
}

function lineOf({ event, data }: WebhookEvent): string {
  const detail = event.startsWith('operation.') ? data.type : event.endsWith('.updated') ? data.status : data.name
  return ['   webhook  ', event, ...(typeof detail === 'string' ? [detail] : [])].join(' ')
}
