import Type from 'typebox'
import { EVENT_SEARCH_ROWS, validationError } from '../../../kernel/index.ts'
import {
  EVENT_NAMES,
  type EventFilter,
  getEvent,
  listEvents,
  listEventsBefore,
  searchEvents,
} from '../../../webhooks/index.ts'
import {
  type App,
  acceptsEventStream,
  EVENTS_DESCRIPTION,
  Event,
  EventList,
  EventStream,
  type EventStreamParts,
  enumQuery,
  envelope,
  eventQuery,
  eventScopeOf,
  id,
  idParams,
  ok,
  presentEvent,
  presentEvents,
  presentFoundEvents,
  streamEvents,
} from '../../http/index.ts'
import { byEveryoneAndServiceAccounts } from '../access.ts'
import { optionalEnumValueOf } from '../formats.ts'
import { dateTime } from '../schemas.ts'

/** Events on core (spec 6, contract 12). */
export function coreEventRoutes(app: App, parts: EventStreamParts): void {
  app.get(
    '/api/core/events',
    {
      config: byEveryoneAndServiceAccounts,
      schema: {
        tags: ['Events'],
        operationId: 'listOrganizationEvents',
        summary: 'List or stream events',
        description: `${EVENTS_DESCRIPTION} Members see all events of their organization, service accounts all but those of the ramp. With \`before\` or a filter, which a stream does not take, the list is newest first, and its \`cursor\` is the \`before\` of the next page. A filter looks at ${EVENT_SEARCH_ROWS} events at once, and continues with the next page.`,
        querystring: Type.Object({
          ...eventQuery,
          before: Type.Optional(
            Type.Integer({
              minimum: 0,
              maximum: Number.MAX_SAFE_INTEGER,
              description:
                'Return events before this id, newest first; 0 begins with the newest, as a filter without it does. Not with `after`.',
            }),
          ),
          event: Type.Optional(enumQuery(EVENT_NAMES, 'Only events of this name, case-insensitive.')),
          operationId: Type.Optional(id('Only events about this operation.')),
          rampTransactionId: Type.Optional(id('Only events about this payment.')),
          walletId: Type.Optional(
            id('Only events about this organization wallet: its operations, allocations, exits and breaks.'),
          ),
          from: Type.Optional(dateTime('Only events at this moment or later.')),
          until: Type.Optional(dateTime('Only events before this moment.')),
        }),
        response: {
          200: {
            description: 'Events, oldest first; newest first with `before`.',
            content: {
              'application/json': { schema: envelope(EventList) },
              'text/event-stream': { schema: EventStream },
            },
          },
        },
      },
    },
    async (request, reply) => {
      const { after, before, limit } = request.query
      const filter = filterOf(request.query)
      const isFiltered = Object.values(filter).some((value) => value !== undefined)
      if ((before !== undefined || isFiltered) && (after !== undefined || acceptsEventStream(request)))
        throw validationError(
          before === undefined ? 'after' : 'before',
          'before and filters cannot be combined with after or a stream',
        )
      if (acceptsEventStream(request)) return streamEvents(parts, request, reply, after)
      const scope = eventScopeOf(request.credential)
      if (isFiltered)
        return ok(presentFoundEvents(await searchEvents(parts, scope, filter, { before: before ?? 0, limit }))) as never
      if (before !== undefined)
        return ok(presentEvents(await listEventsBefore(parts, scope, { before, limit }))) as never
      return ok(presentEvents(await listEvents(parts, scope, { after: after ?? null, limit }))) as never
    },
  )

  app.get(
    '/api/core/events/:id',
    {
      config: byEveryoneAndServiceAccounts,
      schema: {
        tags: ['Events'],
        operationId: 'getOrganizationEvent',
        summary: 'Get an event',
        description:
          'The event as it was sent, while events are kept. Unknown, not yet published or expired event: 404 NOT_FOUND.',
        params: idParams('Event id.'),
        response: { 200: envelope(Event, 'The event.') },
      },
    },
    async ({ credential, params }) =>
      ok(presentEvent(await getEvent(parts, eventScopeOf(credential), params.id))) as never,
  )
}

interface FilterQuery {
  readonly event?: string
  readonly operationId?: number
  readonly rampTransactionId?: number
  readonly walletId?: number
  readonly from?: string
  readonly until?: string
}

function filterOf({ event, operationId, rampTransactionId, walletId, from, until }: FilterQuery): EventFilter {
  return {
    event: optionalEnumValueOf('event', event, EVENT_NAMES),
    operationId,
    rampTransactionId,
    walletId,
    from: from === undefined ? undefined : new Date(from),
    until: until === undefined ? undefined : new Date(until),
  }
}
