import Type from 'typebox'
import { scopeOf } from '../../../identity/index.ts'
import { listEvents } from '../../../webhooks/index.ts'
import {
  type App,
  acceptsEventStream,
  EVENTS_DESCRIPTION,
  EventList,
  EventStream,
  type EventStreamParts,
  envelope,
  eventQuery,
  ok,
  presentEvents,
  streamEvents,
} from '../../http/index.ts'
import { byEveryone } from '../access.ts'

/** Events on core (spec 6, contract 12). */
export function coreEventRoutes(app: App, parts: EventStreamParts): void {
  app.get(
    '/api/core/events',
    {
      config: byEveryone,
      schema: {
        tags: ['Events'],
        operationId: 'listOrganizationEvents',
        summary: 'List or stream events',
        description: `${EVENTS_DESCRIPTION} Members see all events of their organization.`,
        querystring: Type.Object(eventQuery),
        response: {
          200: {
            description: 'Events, oldest first.',
            content: {
              'application/json': { schema: envelope(EventList) },
              'text/event-stream': { schema: EventStream },
            },
          },
        },
      },
    },
    async (request, reply) => {
      const { after, limit } = request.query
      if (acceptsEventStream(request)) return streamEvents(parts, request, reply, after)
      const scope = scopeOf(request.credential)
      return ok(presentEvents(await listEvents(parts, scope, { after: after ?? null, limit }))) as never
    },
  )
}
