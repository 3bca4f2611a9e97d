import type { Say } from './layout.ts'
import type { People } from './people.ts'
import { until } from './until.ts'
import { startWebhookReceiver, type WebhookEvent } from './webhook-receiver.ts'

/** A webhook of the organization that prints each event, once its signature is verified. */
export interface DeliveredEvents {
  /** Waits until every event so far has arrived; returns their number. */
  all(): Promise<number>
  stop(): Promise<void>
}

interface EventPage {
  readonly events: readonly { readonly id: number }[]
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
    all: () =>
      until(say, 'the last webhooks', async () => {
        const { ids } = await eventsAfter(people, since)
        return ids.every((id) => arrived.has(`evt_${id}`)) ? ids.length : undefined
      }),
    stop: () => receiver.stop(),
  }
}

/** The ids of all events after one, and where the list ends. */
async function eventsAfter(people: People, after: number): Promise<{ ids: number[]; cursor: number }> {
  const ids: number[] = []
  let cursor = after
  for (let hasMore = true; hasMore; ) {
    const page = await people.get<EventPage>(`/api/core/events?after=${cursor}&limit=100`)
    ids.push(...page.events.map(({ id }) => id))
    cursor = page.cursor ?? cursor
    hasMore = page.hasMore
  }
  return { ids, cursor }
}

function lineOf({ event, data }: WebhookEvent): string {
  const detail = event.startsWith('operation.') ? data.type : event.endsWith('.updated') ? data.status : data.name
  return ['   webhook  ', event, ...(typeof detail === 'string' ? [detail] : [])].join(' ')
}
