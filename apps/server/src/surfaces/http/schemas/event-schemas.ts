import Type, { type TSchema } from 'typebox'
import { LIST_LIMIT_DEFAULT, LIST_LIMIT_MAX } from '../../../kernel/index.ts'
import { EVENT_NAMES, type EventPage, type FoundEvents, type PublishedEvent } from '../../../webhooks/index.ts'
import { documentedAs } from './documented-as.ts'
import { EVENT_KINDS } from './event-data.ts'
import { dateTime } from './fields.ts'
import { id } from './ids.ts'

const eventId = id('Event id; send it as `after` to continue. Ids of concurrent events may be out of order.')
const timestamp = dateTime('When the event occurred.')

/** One component for each kind of event, distinguished by `event`. */
const kindsOf = (suffix: string, fields: Record<string, TSchema>) =>
  EVENT_KINDS.map(({ kind, names, data }) => {
    const own = EVENT_NAMES.filter((name) => names.test(name))
    const event = Type.Enum(own, { description: 'Event name.' })
    const description = `One of these events: ${own.join(', ')}.`
    return {
      own,
      name: `${kind}${suffix}`,
      schema: Type.Object({ ...fields, event, timestamp, data }, { $id: `${kind}${suffix}`, description }),
    }
  })

const unionOf = ($id: string, description: string, kinds: ReturnType<typeof kindsOf>) => ({
  $id,
  description,
  oneOf: kinds.map(({ schema }) => schema),
  discriminator: {
    propertyName: 'event',
    mapping: Object.fromEntries(
      kinds.flatMap(({ own, name }) => own.map((event) => [event, `#/components/schemas/${name}`])),
    ),
  },
})

/** What a webhook receives, for the document. */
export const WebhookEvent = unionOf(
  'WebhookEvent',
  'The body of a webhook request. `event` decides the shape of `data`.',
  kindsOf('WebhookEvent', {}),
)

export const Event = Type.Object(
  {
    id: eventId,
    event: Type.String({ description: 'Event name.', examples: [...EVENT_NAMES] }),
    timestamp,
    data: Type.Object(
      {},
      {
        additionalProperties: true,
        description: 'The object at the time of the event; docs/events.md shows each payload.',
      },
    ),
  },
  documentedAs(
    unionOf(
      'Event',
      'A change of state: the webhook payload plus the event id. `event` decides the shape of `data`.',
      kindsOf('Event', { id: eventId }),
    ),
  ),
)

/** A page of events (contract 12). */
export const EventList = Type.Object(
  {
    events: Type.Array(Event, { description: 'Oldest first, unless `before` was sent.' }),
    cursor: Type.Union([id('Event id.'), Type.Null()], {
      description: 'Send it as `after` to get the next page; null if there are no events yet.',
    }),
    hasMore: Type.Boolean({ description: 'Whether more events are available now.' }),
    missed: Type.Optional(
      Type.Boolean({
        description:
          'true: events after `after` were deleted because of their age before this request. Read the objects that you rely on again. Absent otherwise.',
      }),
    ),
    searchedTo: Type.Optional(
      dateTime(
        'Only with a filter: the time of the oldest event that was looked at. While `hasMore` is true, older ones may match, even if this page has none.',
      ),
    ),
  },
  { $id: 'EventList', description: 'A page of events.' },
)

export const eventQuery = {
  after: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Return events after this id. Defaults to the oldest event.',
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
  description: 'Server-sent events: `id` is the event id, `event` the event name, `data` an Event as JSON.',
})

export const presentEvent = ({ id: eventId, event, timestamp, data }: PublishedEvent) => ({
  id: eventId,
  event,
  timestamp,
  data,
})

export const presentEvents = ({ events, cursor, hasMore, isMissing }: EventPage) => ({
  events: events.map(presentEvent),
  cursor: cursor === 0 ? null : cursor,
  hasMore,
  ...(isMissing && { missed: true }),
})

/** A page of a search. */
export const presentFoundEvents = ({ events, cursor, hasMore, searchedTo }: FoundEvents) => ({
  ...presentEvents({ events, cursor, hasMore, isMissing: false }),
  ...(searchedTo && { searchedTo: searchedTo.toISOString() }),
})

export const EVENTS_DESCRIPTION =
  'Lists events, oldest first, with the same payloads as webhooks. They are kept for 30 days unless the operator sets EVENTS_RETENTION_DAYS; `missed` says that some were deleted before you read them. To continue, send the `cursor` of the response as `after`; no event is skipped, even when changes commit out of order. With `Accept: text/event-stream` the response is a stream of server-sent events that stays open: it starts after `Last-Event-ID` or `after`, or with new events if neither is sent, and sends a comment every 15 seconds of silence. A stream counts as one request. It ends when the credential is revoked or expires; the next request then returns the error.'
