import Type from 'typebox'
import { scopeOf } from '../../../identity/index.ts'
import { validationError } from '../../../kernel/index.ts'
import { getEvent, listEvents, listEventsBefore } from '../../../webhooks/index.ts'
import {
  type App,
  acceptsEventStream,
  EVENTS_DESCRIPTION,
  Event,
  EventList,
  EventStream,
  type EventStreamParts,
  envelope,
  eventQuery,
  idParams,
  ok,
  presentEvent,
  presentEvents,
  streamEvents,
} from '../../http/index.ts'
import { byEveryoneAndServiceAccounts } from '../access.ts'

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
        description: `${EVENTS_DESCRIPTION} Members see all events of their organization. With \`before\`, which a stream does not take, the list is newest first, and its \`cursor\` is the \`before\` of the next page.`,
        querystring: Type.Object({
          ...eventQuery,
          before: Type.Optional(
            Type.Integer({
              minimum: 0,
              maximum: Number.MAX_SAFE_INTEGER,
              description: 'Return events before this id, newest first; 0 begins with the newest. Not with `after`.',
            }),
          ),
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
      if (before !== undefined && (after !== undefined || acceptsEventStream(request)))
        throw validationError('before', 'cannot be combined with after or a stream')
      if (acceptsEventStream(request)) return streamEvents(parts, request, reply, after)
      const scope = scopeOf(request.credential)
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
    async ({ credential, params }) => ok(presentEvent(await getEvent(parts, scopeOf(credential), params.id))) as never,
  )
}
