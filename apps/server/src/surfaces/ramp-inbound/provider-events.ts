import Type from 'typebox'
import { applyProviderMessage, type RampParts } from '../../ramp/index.ts'
import { type App, rawBodyOf } from '../http/index.ts'

const ProviderEventsReceived = Type.Object(
  { received: Type.Integer({ description: 'Events in the message, those that were known before included.' }) },
  { $id: 'RampEventsTaken', description: 'A message of the banking provider that was taken.' },
)

/** Where the banking provider sends its events. */
export function providerEventRoutes(app: App, parts: RampParts): void {
  app.post(
    '/ramp/events',
    {
      config: { access: 'auth', limit: 'core', rawBody: true },
      schema: {
        tags: ['Ramp: provider'],
        operationId: 'takeProviderEvents',
        summary: 'Take events of the banking provider',
        description:
          'For the provider alone: a message must carry its signature over every byte of the body, else 401 UNAUTHORIZED. Events may come twice and in any order.',
        response: { 200: ProviderEventsReceived },
      },
    },
    async (request) => ({
      received: await applyProviderMessage(parts, { headers: request.headers, body: rawBodyOf(request) }),
    }),
  )
}
