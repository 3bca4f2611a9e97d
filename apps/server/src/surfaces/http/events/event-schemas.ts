import Type from 'typebox'
import { LIST_LIMIT_DEFAULT, LIST_LIMIT_MAX } from '../../../kernel/index.ts'
import { EVENT_NAMES, type EventPage } from '../../../webhooks/index.ts'
import { id } from '../schemas/ids.ts'

const Event = Type.Object(
  {
    id: id('Event id, and what to go on after. Ids of events that were made at the same time may be out of order.'),
    event: Type.String({ description: 'What happened.', examples: [...EVENT_NAMES] }),
    timestamp: Type.String({ format: 'date-time', description: 'When it happened.' }),
    data: Type.Object(
      {},
      { additionalProperties: true, description: 'What it happened to, as it was then; docs/events.md shows each.' },
    ),
  },
  { $id: 'Event', description: 'Something that happened: what webhooks carry, and its id.' },
)

/** A stretch of events (contract 12). */
export const EventList = Type.Object(
  {
    events: Type.Array(Event, { description: 'Oldest first.' }),
    cursor: Type.Union([id('Event id.'), Type.Null()], {
      description: 'Send it as `after` to get what comes next; null while there has been no event.',
    }),
    hasMore: Type.Boolean({ description: 'Whether there are more events already.' }),
  },
  { $id: 'EventList', description: 'Events, oldest first.' },
)

export const eventQuery = {
  after: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Return what came after the event with this id; without it, begin with the oldest event.',
    }),
  ),
  limit: Type.Integer({
    minimum: 1,
    maximum: LIST_LIMIT_MAX,
    default: LIST_LIMIT_DEFAULT,
    description: `How many events to return, at most ${LIST_LIMIT_MAX}.`,
  }),
}

export const EventStream = Type.String({
  description: 'Server-sent events: `id` is the event id, `event` its name, `data` an Event as JSON.',
})

export const presentEvents = ({ events, cursor, hasMore }: EventPage) => ({
  events: events.map(({ id: eventId, event, timestamp, data }) => ({ id: eventId, event, timestamp, data })),
  cursor: cursor === 0 ? null : cursor,
  hasMore,
})

export const EVENTS_DESCRIPTION =
  'Events of the last 30 days, oldest first: the same as webhooks carry. Go on with the `cursor` of the answer as `after`; nothing is skipped, also when changes commit out of order. With `Accept: text/event-stream` the same comes as server-sent events that stay open: from `Last-Event-ID` or `after` on, else from now on, with a comment every 15 seconds of silence. Such a stream counts as one request; it ends when the credential holds no more, and then answers as any other request.'
