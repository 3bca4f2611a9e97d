import Type from 'typebox'
import {
  type Delivery,
  listDeliveries,
  type QueuedTestEvent,
  replayDelivery,
  sendTestEvent,
  type WebhookParts,
} from '../../../webhooks/index.ts'
import { type App, enumQuery, envelope, id, idParams, ok, pageQuery, runVerb, totalCount } from '../../http/index.ts'
import { byAdminsAndServiceAccounts, byEveryoneAndServiceAccounts } from '../access.ts'
import { enumValueOf } from '../formats.ts'
import { dateTime } from '../schemas.ts'
import { webhookRef } from './webhooks.ts'

const STATUSES = ['pending', 'delivered', 'failed'] as const

const Attempt = Type.Object(
  {
    at: dateTime('When the attempt was made.'),
    statusCode: Type.Union([Type.Integer(), Type.Null()], {
      description: 'HTTP status of the response; null if there was none.',
    }),
    error: Type.Union([Type.String(), Type.Null()], { description: 'Why the attempt failed; null if it succeeded.' }),
    durationMs: Type.Integer({ description: 'Duration in milliseconds.' }),
  },
  { $id: 'WebhookAttempt', description: 'One delivery attempt.' },
)

const DeliveryData = Type.Object(
  {
    id: id('Delivery id.'),
    webhookId: Type.String({ description: 'The `webhook-id` header: the same in every attempt.' }),
    eventId: Type.Optional(id('Id of the event, as in the list of events.')),
    event: Type.String({ description: 'Name of the event.' }),
    status: Type.Enum([...STATUSES], { description: 'failed: no attempts are left.' }),
    attempts: Type.Array(Attempt, { description: 'Oldest first; at most the latest 50.' }),
    nextAttemptAt: Type.Union([dateTime('When the next attempt is due.'), Type.Null()], {
      description: 'When the next attempt is due, possibly in the past; null if none is planned.',
    }),
    createdAt: dateTime('When it was queued.'),
  },
  { $id: 'WebhookDelivery', description: 'The delivery of one event to a webhook.' },
)

const QueuedTestData = Type.Object(
  {
    eventId: id('Event id.'),
    webhookId: Type.String({ description: 'The `webhook-id` header of the delivery.' }),
  },
  { $id: 'QueuedWebhookTest', description: 'A queued test event.' },
)

const present = (delivery: Delivery) => ({
  id: delivery.id,
  webhookId: delivery.messageId,
  eventId: delivery.eventId,
  event: delivery.event,
  status: delivery.status,
  attempts: delivery.attempts.map(({ at, statusCode, error, durationMs }) => ({ at, statusCode, error, durationMs })),
  nextAttemptAt: delivery.status === 'pending' ? delivery.nextAttemptAt.toISOString() : null,
  createdAt: delivery.createdAt.toISOString(),
})
const presentOne = (delivery: Delivery) => ok(present(delivery))
const presentTest = (queued: QueuedTestEvent) => ok(queued)

const tags = ['Webhooks']

/** Webhook deliveries: below `/api/core/webhooks` (contract 12). */
export function webhookDeliveryRoutes(app: App, parts: WebhookParts): void {
  app.post(
    '/api/core/webhooks/:id/test',
    {
      config: { ...byAdminsAndServiceAccounts, idempotent: 'plain' },
      schema: {
        tags,
        operationId: 'testWebhook',
        summary: 'Send a test event',
        description:
          'Queues a `webhook.test` event for this webhook only, regardless of its event filter. It is delivered and retried like any other event. Unknown webhook: 404 NOT_FOUND. Disabled webhook: 409 CONFLICT.',
        params: idParams('Webhook id.'),
        response: { 202: envelope(QueuedTestData, 'The test event was queued.') },
      },
    },
    async (request, reply) => {
      return runVerb(reply, 202, presentTest, (transact) => sendTestEvent(parts, webhookRef(request), transact))
    },
  )

  app.get(
    '/api/core/webhooks/:id/deliveries',
    {
      config: byEveryoneAndServiceAccounts,
      schema: {
        tags,
        operationId: 'listWebhookDeliveries',
        summary: 'List the deliveries of a webhook',
        description:
          'Deliveries with their attempts, newest first. They are kept for 30 days unless the operator sets EVENTS_RETENTION_DAYS; older ones are deleted, and cannot be replayed. `X-Total-Count` holds the total. Unknown webhook: 404 NOT_FOUND.',
        params: idParams('Webhook id.'),
        querystring: Type.Object({
          ...pageQuery,
          status: Type.Optional(enumQuery(STATUSES, 'Only deliveries in this status, case-insensitive.')),
          operationId: Type.Optional(id('Only deliveries of events about this operation.')),
          rampTransactionId: Type.Optional(id('Only deliveries of events about this ramp transaction.')),
        }),
        response: { 200: envelope(Type.Array(DeliveryData), 'The deliveries.') },
      },
    },
    async (request, reply) => {
      const { status, ...rest } = request.query
      const page = { ...rest, status: status === undefined ? undefined : enumValueOf('status', status, STATUSES) }
      const { deliveries, total } = await listDeliveries(parts.db, webhookRef(request), page)
      totalCount(reply, total)
      return ok(deliveries.map(present))
    },
  )

  app.post(
    '/api/core/webhooks/deliveries/:id/replay',
    {
      config: { ...byAdminsAndServiceAccounts, idempotent: 'plain', audit: { object: 'webhook_delivery' } },
      schema: {
        tags,
        operationId: 'replayWebhookDelivery',
        summary: 'Replay a delivery',
        description:
          'Sends the event again now, whatever the status of the delivery, with a full set of attempts. The `webhook-id` stays the same. If an attempt is under way, it ends first: a success completes the delivery, a failure does not count. Unknown or deleted delivery: 404 NOT_FOUND. Disabled webhook: 409 CONFLICT.',
        params: idParams('Delivery id.'),
        response: { 202: envelope(DeliveryData, 'The delivery, due again.') },
      },
    },
    async (request, reply) => {
      const named = { organizationId: request.credential.organizationId, deliveryId: request.params.id }
      return runVerb(reply, 202, presentOne, (transact) => replayDelivery(parts, named, transact))
    },
  )
}
