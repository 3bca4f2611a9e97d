import Type from 'typebox'
import {
  type Delivery,
  listDeliveries,
  type QueuedTestEvent,
  replayDelivery,
  sendTestEvent,
  type WebhookParts,
} from '../../../webhooks/index.ts'
import {
  type App,
  envelope,
  id,
  idParams,
  ok,
  pageQuery,
  runVerb,
  totalCount,
  userCredentialOf,
} from '../../http/index.ts'
import { byAdmins, byEveryone } from '../access.ts'
import { enumValueOf } from '../formats.ts'
import { dateTime } from '../schemas.ts'
import { webhookRef } from './webhooks.ts'

const STATUSES = ['pending', 'delivered', 'failed'] as const

const Attempt = Type.Object(
  {
    at: dateTime('When it was made.'),
    statusCode: Type.Union([Type.Integer(), Type.Null()], {
      description: 'HTTP status of the answer; null: none came.',
    }),
    error: Type.Union([Type.String(), Type.Null()], { description: 'Why it failed, in a sentence; null: delivered.' }),
    durationMs: Type.Integer({ description: 'How long it took, in milliseconds.' }),
  },
  { $id: 'WebhookAttempt', description: 'One attempt to deliver.' },
)

const DeliveryData = Type.Object(
  {
    id: id('Delivery id.'),
    webhookId: Type.String({ description: 'The `webhook-id` header: the same in every attempt.' }),
    event: Type.String({ description: 'Name of the event.' }),
    status: Type.Enum([...STATUSES], { description: 'failed: no attempt is left.' }),
    attempts: Type.Array(Attempt, { description: 'Oldest first; of very many the newest 50.' }),
    nextAttemptAt: Type.Union([dateTime('When it is attempted next.'), Type.Null()], {
      description: 'When it is attempted next, or since when it is due; null when nothing more is planned.',
    }),
    createdAt: dateTime('When it was queued.'),
  },
  { $id: 'WebhookDelivery', description: 'An event on its way to a webhook, and what became of it.' },
)

const QueuedTestData = Type.Object(
  {
    eventId: id('Event id.'),
    webhookId: Type.String({ description: 'The `webhook-id` header that it will carry.' }),
  },
  { $id: 'QueuedWebhookTest', description: 'A test event that will be delivered.' },
)

const present = (delivery: Delivery) => ({
  id: delivery.id,
  webhookId: delivery.messageId,
  event: delivery.event,
  status: delivery.status,
  attempts: delivery.attempts.map(({ at, statusCode, error, durationMs }) => ({ at, statusCode, error, durationMs })),
  nextAttemptAt: delivery.nextAttemptAt?.toISOString() ?? null,
  createdAt: delivery.createdAt.toISOString(),
})
const presentOne = (delivery: Delivery) => ok(present(delivery))
const presentTest = (queued: QueuedTestEvent) => ok(queued)

const tags = ['Webhooks']

/** What was sent and what will be: below `/api/core/webhooks` (contract 12). */
export function webhookDeliveryRoutes(app: App, parts: WebhookParts): void {
  app.post(
    '/api/core/webhooks/:id/test',
    {
      config: { ...byAdmins, idempotent: 'plain' },
      schema: {
        tags,
        operationId: 'testWebhook',
        summary: 'Send a test event',
        description:
          'Queues a `webhook.test` event for this webhook alone, whatever its filter; it is delivered and retried as any other. Unknown: 404 NOT_FOUND; disabled: 409 CONFLICT.',
        params: idParams('Webhook id.'),
        response: { 202: envelope(QueuedTestData, 'The test is queued.') },
      },
    },
    async (request, reply) => {
      return runVerb(reply, 202, presentTest, (transact) => sendTestEvent(parts, webhookRef(request), transact))
    },
  )

  app.get(
    '/api/core/webhooks/:id/deliveries',
    {
      config: byEveryone,
      schema: {
        tags,
        operationId: 'listWebhookDeliveries',
        summary: 'List the deliveries of a webhook',
        description:
          'Deliveries of the last 30 days with their attempts, newest first. `X-Total-Count` tells how many there are. Unknown webhook: 404 NOT_FOUND.',
        params: idParams('Webhook id.'),
        querystring: Type.Object({
          ...pageQuery,
          status: Type.Optional(
            Type.String({ description: `Only deliveries in this status: one of ${STATUSES.join(', ')}, in any case.` }),
          ),
        }),
        response: { 200: envelope(Type.Array(DeliveryData), 'The deliveries.') },
      },
    },
    async (request, reply) => {
      const { limit, offset, status } = request.query
      const page = { limit, offset, status: status === undefined ? undefined : enumValueOf('status', status, STATUSES) }
      const { deliveries, total } = await listDeliveries(parts.db, webhookRef(request), page)
      totalCount(reply, total)
      return ok(deliveries.map(present))
    },
  )

  app.post(
    '/api/core/webhooks/deliveries/:id/replay',
    {
      config: { ...byAdmins, idempotent: 'plain', audit: { object: 'webhook_delivery' } },
      schema: {
        tags,
        operationId: 'replayWebhookDelivery',
        summary: 'Replay a delivery',
        description:
          'Sends it once more, now, whatever became of it, and with all attempts before it; its `webhook-id` stays the same. Unknown: 404 NOT_FOUND; webhook disabled: 409 CONFLICT.',
        params: idParams('Delivery id.'),
        response: { 202: envelope(DeliveryData, 'The delivery, which is due again.') },
      },
    },
    async (request, reply) => {
      const named = { organizationId: userCredentialOf(request).organizationId, deliveryId: request.params.id }
      return runVerb(reply, 202, presentOne, (transact) => replayDelivery(parts, named, transact))
    },
  )
}
