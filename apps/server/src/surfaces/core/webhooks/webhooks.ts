import Type from 'typebox'
import { NAME_LENGTH_MAX, WEBHOOK_URL_LENGTH_MAX } from '../../../kernel/index.ts'
import {
  type CreatedWebhook,
  createWebhook,
  deleteWebhook,
  EVENT_NAMES,
  getWebhook,
  listWebhooks,
  type RotatedSecret,
  rotateSecret,
  updateWebhook,
  type Webhook,
  type WebhookParts,
} from '../../../webhooks/index.ts'
import {
  type App,
  envelope,
  id,
  idParams,
  ok,
  optionalPageQuery,
  pageWindowOf,
  runVerb,
  totalCount,
  userCredentialOf,
} from '../../http/index.ts'
import { byAdmins, byEveryone } from '../access.ts'
import { Deleted, dateTime, presentDeleted } from '../schemas.ts'

const url = (description: string) => Type.String({ minLength: 1, maxLength: WEBHOOK_URL_LENGTH_MAX, description })
const events = (description: string) =>
  Type.Array(Type.String({ examples: ['*', ...EVENT_NAMES] }), { minItems: 1, maxItems: 100, description })
const description = Type.Union([Type.String({ maxLength: NAME_LENGTH_MAX }), Type.Null()], {
  description: 'What it is for, for people.',
})
const secret = Type.Union([Type.String(), Type.Null()], {
  description:
    'Signs the deliveries (`whsec_` and base64). It is shown this once, and is null in an idempotent replay.',
})

const webhookFields = {
  id: id('Webhook id.'),
  url: Type.String({ description: 'Where events are sent.' }),
  events: Type.Array(Type.String(), { description: 'Names of events, or `*` alone for all of them.' }),
  description,
  status: Type.Enum(['active', 'failing', 'disabled'], {
    description:
      'failing: a delivery ran out of attempts and nothing has been delivered since. disabled: nothing is sent, because somebody asked for it or because nothing but failure came back for 3 days.',
  }),
  disabledBecause: Type.Union([Type.Enum(['asked', 'failing']), Type.Null()], {
    description: 'Why it is disabled; null while it is not.',
  }),
  failingSince: Type.Union([dateTime('The first failure since the last success.'), Type.Null()], {
    description: 'Since when every attempt has failed; null after a success.',
  }),
  createdAt: dateTime('When it was made.'),
  updatedAt: dateTime('When it was last changed.'),
}

const WebhookData = Type.Object(webhookFields, {
  $id: 'Webhook',
  description: 'A receiver of events, without its secret.',
})
const CreatedData = Type.Object(
  { ...webhookFields, secret },
  { $id: 'CreatedWebhook', description: 'A new webhook with its secret.' },
)
const RotatedData = Type.Object(
  {
    id: id('Webhook id.'),
    secret,
    oldSecretValidUntil: dateTime('Until then every delivery is signed with the old secret, too.'),
  },
  { $id: 'RotatedWebhookSecret', description: 'A new secret of a webhook.' },
)

const present = (webhook: Webhook) => ({
  id: webhook.id,
  url: webhook.url,
  events: [...webhook.events],
  description: webhook.description,
  status: webhook.status,
  disabledBecause: webhook.disabledBecause,
  failingSince: webhook.failingSince?.toISOString() ?? null,
  createdAt: webhook.createdAt.toISOString(),
  updatedAt: webhook.updatedAt.toISOString(),
})
const presentOne = (webhook: Webhook) => ok(present(webhook))
const presentCreated = (webhook: CreatedWebhook) => ok({ ...present(webhook), secret: webhook.secret })
const presentRotated = (rotated: RotatedSecret) =>
  ok({ ...rotated, oldSecretValidUntil: rotated.oldSecretValidUntil.toISOString() })

const tags = ['Webhooks']
const URL_RULES =
  'In live it must begin with https:// and must not lead to a private, local or reserved address, which is checked at every connection; in sandbox http:// and loopback addresses will do.'

/** Webhooks: `/api/core/webhooks` (contract 12). */
export function webhookRoutes(app: App, parts: WebhookParts): void {
  app.get(
    '/api/core/webhooks',
    {
      config: byEveryone,
      schema: {
        tags,
        operationId: 'listWebhooks',
        summary: 'List webhooks',
        description:
          'Webhooks of the organization, newest first, all of them unless `limit` is sent. `X-Total-Count` tells how many there are, at most 100.',
        querystring: Type.Object({ ...optionalPageQuery }),
        response: { 200: envelope(Type.Array(WebhookData), 'The webhooks.') },
      },
    },
    async (request, reply) => {
      const { organizationId } = userCredentialOf(request)
      const { webhooks, total } = await listWebhooks(parts.db, organizationId, pageWindowOf(request.query))
      totalCount(reply, total)
      return ok(webhooks.map(present))
    },
  )

  app.post(
    '/api/core/webhooks',
    {
      config: { ...byAdmins, idempotent: 'secret', secretFields: ['data.secret'] },
      schema: {
        tags,
        operationId: 'createWebhook',
        summary: 'Create a webhook',
        description: `Events from now on are sent to \`url\` as \`{event, timestamp, data}\`, signed as Standard Webhooks say (\`webhook-id\`, \`webhook-timestamp\`, \`webhook-signature\`). ${URL_RULES} An unknown event or a URL that is refused: 400 VALIDATION_ERROR; a 101st webhook: 409 CONFLICT.`,
        body: Type.Object({
          url: url('Where to send events.'),
          events: events('Names of events, or ["*"] for all of them, also those that are added later.'),
          description: Type.Optional(description),
        }),
        response: { 201: envelope(CreatedData, 'The new webhook.') },
      },
    },
    async (request, reply) => {
      const input = { ...request.body, organizationId: userCredentialOf(request).organizationId }
      return runVerb(reply, 201, presentCreated, (transact) => createWebhook(parts, input, transact))
    },
  )

  app.get(
    '/api/core/webhooks/:id',
    {
      config: byEveryone,
      schema: {
        tags,
        operationId: 'getWebhook',
        summary: 'Get a webhook',
        description: 'One webhook, without its secret. Unknown: 404 NOT_FOUND.',
        params: idParams('Webhook id.'),
        response: { 200: envelope(WebhookData, 'The webhook.') },
      },
    },
    async (request) => presentOne(await getWebhook(parts.db, webhookRef(request))),
  )

  app.patch(
    '/api/core/webhooks/:id',
    {
      config: { ...byAdmins, audit: { details: ['body.enabled'] } },
      schema: {
        tags,
        operationId: 'changeWebhook',
        summary: 'Change a webhook',
        description: `Changes the fields that are sent. With another \`url\`, what is waiting goes there. \`enabled: false\` stops everything, and what is waiting has failed; \`enabled: true\` starts afresh, also after the service disabled it. ${URL_RULES}`,
        params: idParams('Webhook id.'),
        body: Type.Object({
          url: Type.Optional(url('Where to send events.')),
          events: Type.Optional(events('Names of events, or ["*"].')),
          description: Type.Optional(description),
          enabled: Type.Optional(Type.Boolean({ description: 'Whether anything is sent.' })),
        }),
        response: { 200: envelope(WebhookData, 'The webhook as it is now.') },
      },
    },
    async (request, reply) => {
      return runVerb(reply, 200, presentOne, (transact) =>
        updateWebhook(parts, webhookRef(request), request.body, transact),
      )
    },
  )

  app.delete(
    '/api/core/webhooks/:id',
    {
      config: byAdmins,
      schema: {
        tags,
        operationId: 'deleteWebhook',
        summary: 'Delete a webhook',
        description: 'Nothing more is sent to it, and its deliveries are known no more. Unknown: 404 NOT_FOUND.',
        params: idParams('Webhook id.'),
        response: { 200: envelope(Deleted, 'The webhook is deleted.') },
      },
    },
    async (request, reply) => {
      return runVerb(reply, 200, presentDeleted, (transact) => deleteWebhook(parts, webhookRef(request), transact))
    },
  )

  app.post(
    '/api/core/webhooks/:id/rotate-secret',
    {
      config: { ...byAdmins, idempotent: 'secret', secretFields: ['data.secret'] },
      schema: {
        tags,
        operationId: 'rotateWebhookSecret',
        summary: 'Rotate the secret of a webhook',
        description:
          'A new secret; for 24 hours more every delivery carries a signature of the old one, too, so that the receiver can change over in that time. Unknown: 404 NOT_FOUND.',
        params: idParams('Webhook id.'),
        response: { 200: envelope(RotatedData, 'The new secret.') },
      },
    },
    async (request, reply) => {
      return runVerb(reply, 200, presentRotated, (transact) => rotateSecret(parts, webhookRef(request), transact))
    },
  )
}

/** The webhook that a request's path names, within its user's organization. */
export function webhookRef(request: Parameters<typeof userCredentialOf>[0]) {
  const { id: webhookId } = request.params as { id: number }
  return { organizationId: userCredentialOf(request).organizationId, webhookId }
}
