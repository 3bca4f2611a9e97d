import { EVENT_NAMES } from '../../../webhooks/index.ts'
import { EVENT_KINDS } from '../schemas/event-data.ts'
import { WebhookEvent } from '../schemas/event-schemas.ts'
import type { SchemaComponents } from '../validation/schema-components.ts'

type Json = Record<string, unknown>

const header = (name: string, description: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
})

const HEADERS = [
  header('webhook-id', 'Id of the event; the same in every attempt. Use it to recognize repetitions.'),
  header('webhook-timestamp', 'When this attempt was sent, in seconds since 1970.'),
  header(
    'webhook-signature',
    'Standard Webhooks: `v1,` and the HMAC-SHA256 in base64; several are separated by spaces.',
  ),
]

/** The `webhooks` section: the request that a webhook receives for each event (contract 12). */
export function webhooksOf(components: SchemaComponents): Json {
  components.collect(WebhookEvent)
  return Object.fromEntries(
    EVENT_NAMES.map((event) => {
      const { kind } = EVENT_KINDS.find(({ names }) => names.test(event))!
      const words = event.split(/[._]/).map((word) => word[0]!.toUpperCase() + word.slice(1))
      const post = {
        operationId: `on${words.join('')}`,
        tags: ['Webhooks'],
        summary: event,
        description:
          'Sent at least once. Any status 2xx within 10 seconds is success; otherwise it is sent again for up to a day and a half.',
        security: [],
        parameters: HEADERS,
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { $ref: `#/components/schemas/${kind}WebhookEvent` } } },
        },
        responses: {
          '2XX': { description: 'Received.' },
          '4XX': { description: 'Not received; it is sent again.' },
        },
      }
      return [event, { post }]
    }),
  )
}
