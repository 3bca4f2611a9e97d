import Type from 'typebox'
import { listEvents } from '../../webhooks/index.ts'
import {
  type App,
  acceptsEventStream,
  EVENTS_DESCRIPTION,
  EventList,
  EventStream,
  type EventStreamParts,
  eventQuery,
  eventScopeOf,
  presentEvents,
  streamEvents,
} from '../http/index.ts'

/** Events on v1 (spec 6, contract 12). */
export function v1EventRoutes(app: App, parts: EventStreamParts): void {
  app.get(
    '/v1/events',
    {
      config: { access: { surface: 'v1', needs: 'read', permission: 'read' }, limit: 'v1.read' },
      schema: {
        tags: ['Events'],
        operationId: 'listEvents',
        summary: 'List or stream events',
        description: `${EVENTS_DESCRIPTION} A profile-scoped key gets the events of its profile's wallets and all ramp events, which belong to the organization; every other key gets all events. A key with permissions gets ramp events only with \`ramp\`.`,
        querystring: Type.Object(eventQuery),
        response: {
          200: {
            description: 'Events, oldest first.',
            content: { 'application/json': { schema: EventList }, 'text/event-stream': { schema: EventStream } },
          },
        },
      },
    },
    async (request, reply) => {
      const { after, limit } = request.query
      if (acceptsEventStream(request)) return streamEvents(parts, request, reply, after)
      const scope = eventScopeOf(request.credential)
      return presentEvents(await listEvents(parts, scope, { after: after ?? null, limit })) as never
    },
  )
}
