import Type from 'typebox'
import { applyProviderMessage, type RampParts } from '../../ramp/index.ts'
import { type App, rawBodyOf } from '../http/index.ts'

const ProviderEventsReceived = Type.Object(
  { received: Type.Integer({ description: 'Number of events in the message, including duplicates.' }) },
  { $id: 'RampEventsTaken', description: 'Acknowledgement of a message from the banking provider.' },
)

/** Receives the events of the banking provider. */
export function providerEventRoutes(app: App, parts: RampParts): void {
  app.post(
    '/ramp/events',
    {
      config: { access: 'auth', limit: 'core', rawBody: true },
      schema: {
        tags: ['Ramp: provider'],
        operationId: 'takeProviderEvents',
        summary: 'Receive events from the banking provider',
        description:
          'For the banking provider only. A message must be signed by the provider over every byte of the body; otherwise 401 UNAUTHORIZED. Events may be delivered twice and in any order.',
        response: { 200: ProviderEventsReceived },
      },
    },
    async (request) => ({
      received: await applyProviderMessage(parts, { headers: request.headers, body: rawBodyOf(request) }),
    }),
  )
}
