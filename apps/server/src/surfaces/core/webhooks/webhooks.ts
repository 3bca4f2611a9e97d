import type { FastifyRequest } from 'fastify'
import Type from 'typebox'
import { actorOf } from '../../../identity/index.ts'
import { NAME_LENGTH_MAX, WEBHOOK_EVENT_TYPES_MAX, WEBHOOK_URL_LENGTH_MAX } from '../../../kernel/index.ts'
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
  ADMINS,
  type App,
  ChangeRequested,
  enumQuery,
  envelope,
  id,
  idParams,
  ok,
  optionalPageQuery,
  pageWindowOf,
  runVerb,
  searchText,
  totalCount,
} from '../../http/index.ts'
import { byAdminsWithStepUp, byEveryoneAndServiceAccounts } from '../access.ts'
import { optionalEnumValueOf } from '../formats.ts'
import { CreatedBy, Deleted, dateTime, presentDeleted } from '../schemas.ts'

const url = (description: string) => Type.String({ minLength: 1, maxLength: WEBHOOK_URL_LENGTH_MAX, description })
const events = (description: string) =>
  Type.Array(Type.String({ examples: ['*', ...EVENT_NAMES] }), {
    minItems: 1,
    maxItems: WEBHOOK_EVENT_TYPES_MAX,
    description,
  })
const description = Type.Union([Type.String({ maxLength: NAME_LENGTH_MAX }), Type.Null()], {
  description: 'Human-readable description.',
})
const secret = Type.Union([Type.String(), Type.Null()], {
  description: 'Secret that signs deliveries (`whsec_` and base64). Returned only once; null in an idempotent replay.',
})

const STATUSES = ['active', 'failing', 'disabled'] as const

const webhookFields = {
  id: id('Webhook id.'),
  url: Type.String({ description: 'URL that events are sent to.' }),
  events: Type.Array(Type.String(), { description: 'Event names, or only `*` for all events.' }),
  description,
  status: Type.Enum([...STATUSES], {
    description:
      'failing: a delivery ran out of attempts and none has succeeded since. disabled: nothing is sent, on request or after 3 days of failures only.',
  }),
  disabledBecause: Type.Union([Type.Enum(['asked', 'failing']), Type.Null()], {
    description: 'Why the webhook is disabled: `asked` (on request) or `failing`; null if it is not disabled.',
  }),
  failingSince: Type.Union([dateTime('The first failure since the last success.'), Type.Null()], {
    description: 'When the current run of failed attempts began; null after a success.',
  }),
  createdAt: dateTime('When the webhook was created.'),
  createdBy: Type.Optional(CreatedBy),
  updatedAt: dateTime('When the webhook was last changed.'),
}

const WebhookData = Type.Object(webhookFields, {
  $id: 'Webhook',
  description: 'An endpoint that receives events, without its secret.',
})
const CreatedData = Type.Object(
  { ...webhookFields, secret },
  { $id: 'CreatedWebhook', description: 'A new webhook with its secret.' },
)
const RotatedData = Type.Object(
  {
    id: id('Webhook id.'),
    secret,
    oldSecretValidUntil: dateTime('When deliveries stop being signed with the old secret too.'),
  },
  { $id: 'RotatedWebhookSecret', description: 'A new secret of a webhook.' },
)

const present = (webhook: Webhook) => ({
  id: webhook.id,
  url: webhook.url,
  events: [...webhook.events],
  description: webhook.description,
  status: webhook.status,
  disabledBecause: webhook.status === 'disabled' ? webhook.disabledBecause : null,
  failingSince: webhook.failingSince?.toISOString() ?? null,
  createdAt: webhook.createdAt.toISOString(),
  createdBy: webhook.createdBy,
  updatedAt: webhook.updatedAt.toISOString(),
})
const presentOne = (webhook: Webhook) => ok(present(webhook))
const presentCreated = (webhook: CreatedWebhook) => ok({ ...present(webhook), secret: webhook.secret })
const presentRotated = (rotated: RotatedSecret) =>
  ok({ ...rotated, oldSecretValidUntil: rotated.oldSecretValidUntil.toISOString() })

/** Another URL is another receiver. Which events it gets, and whether it gets any, needs no approval. */
const changesUrl = ({ body }: { readonly body: unknown }) => (body as { url?: string }).url !== undefined

/** A step-up is for sessions, which can be stolen from a browser; a service account has none. */
const changesWebhooks = {
  access: { surface: 'core', roles: ADMINS, stepUp: true, serviceAccounts: true },
  limit: 'core',
} as const

const tags = ['Webhooks']
const URL_RULES =
  'In live the URL must use https:// and must not resolve to a private, local or reserved address, which is checked on every connection; in the sandbox http:// and loopback addresses are allowed.'

/** Webhooks: `/api/core/webhooks` (contract 12). */
export function webhookRoutes(app: App, parts: WebhookParts): void {
  app.get(
    '/api/core/webhooks',
    {
      config: byEveryoneAndServiceAccounts,
      schema: {
        tags,
        operationId: 'listWebhooks',
        summary: 'List webhooks',
        description:
          'Webhooks of the organization, newest first; all by default, or `limit` at a time. `X-Total-Count` holds the total that matches, at most `QUOTA_WEBHOOKS`.',
        querystring: Type.Object({
          q: searchText('Only webhooks whose URL or description contains this text, case-insensitive.'),
          status: Type.Optional(enumQuery(STATUSES, 'Only webhooks in this status, case-insensitive.')),
          ...optionalPageQuery,
        }),
        response: { 200: envelope(Type.Array(WebhookData), 'The webhooks.') },
      },
    },
    async (request, reply) => {
      const { organizationId } = request.credential
      const { q: text, status } = request.query
      const filter = { text, status: optionalEnumValueOf('status', status, STATUSES) }
      const { webhooks, total } = await listWebhooks(parts.db, organizationId, pageWindowOf(request.query), filter)
      totalCount(reply, total)
      return ok(webhooks.map(present))
    },
  )

  app.post(
    '/api/core/webhooks',
    {
      config: {
        ...changesWebhooks,
        idempotent: 'secret',
        secretFields: ['data.secret'],
        change: { kind: 'webhooks' },
      },
      schema: {
        tags,
        operationId: 'createWebhook',
        summary: 'Create a webhook',
        description: `Events from now on are sent to \`url\` as \`{event, timestamp, data}\`, signed according to Standard Webhooks (\`webhook-id\`, \`webhook-timestamp\`, \`webhook-signature\`). ${URL_RULES} Unknown event or invalid URL: 400 VALIDATION_ERROR. More than 100 webhooks: 409 CONFLICT.`,
        body: Type.Object({
          url: url('Where to send events.'),
          events: events('Event names, or ["*"] for all events, including future ones.'),
          description: Type.Optional(description),
        }),
        response: { 201: envelope(CreatedData, 'The new webhook.'), 202: ChangeRequested },
      },
    },
    async (request, reply) => {
      const { organizationId } = request.credential
      const input = { ...request.body, organizationId, createdBy: actorOf(request.credential) }
      return runVerb(reply, 201, presentCreated, (transact) => createWebhook(parts, input, transact))
    },
  )

  app.get(
    '/api/core/webhooks/:id',
    {
      config: byEveryoneAndServiceAccounts,
      schema: {
        tags,
        operationId: 'getWebhook',
        summary: 'Get a webhook',
        description: 'Returns a webhook without its secret. Unknown webhook: 404 NOT_FOUND.',
        params: idParams('Webhook id.'),
        response: { 200: envelope(WebhookData, 'The webhook.') },
      },
    },
    async (request) => presentOne(await getWebhook(parts.db, webhookRef(request))),
  )

  app.patch(
    '/api/core/webhooks/:id',
    {
      config: {
        ...changesWebhooks,
        change: { kind: 'webhooks', applies: changesUrl },
        audit: { details: ['body.enabled'] },
      },
      schema: {
        tags,
        operationId: 'changeWebhook',
        summary: 'Change a webhook',
        description: `Changes the fields that are sent. Pending deliveries go to a new \`url\`. \`enabled: false\` stops sending and fails pending deliveries; \`enabled: true\` starts again with new events, even if the service disabled the webhook. Directly after it was disabled with thousands of deliveries pending: 409 CONFLICT with \`reason: still_stopping\`. ${URL_RULES}`,
        params: idParams('Webhook id.'),
        body: Type.Object({
          url: Type.Optional(url('Where to send events.')),
          events: Type.Optional(events('Event names, or ["*"].')),
          description: Type.Optional(description),
          enabled: Type.Optional(Type.Boolean({ description: 'Whether events are sent.' })),
        }),
        response: { 200: envelope(WebhookData, 'The updated webhook.'), 202: ChangeRequested },
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
      config: changesWebhooks,
      schema: {
        tags,
        operationId: 'deleteWebhook',
        summary: 'Delete a webhook',
        description: 'Stops sending to the webhook and deletes its deliveries. Unknown webhook: 404 NOT_FOUND.',
        params: idParams('Webhook id.'),
        response: { 200: envelope(Deleted, 'The webhook was deleted.') },
      },
    },
    async (request, reply) => {
      return runVerb(reply, 200, presentDeleted, (transact) => deleteWebhook(parts, webhookRef(request), transact))
    },
  )

  app.post(
    '/api/core/webhooks/:id/rotate-secret',
    {
      config: { ...byAdminsWithStepUp, idempotent: 'secret', secretFields: ['data.secret'] },
      schema: {
        tags,
        operationId: 'rotateWebhookSecret',
        summary: 'Rotate the secret of a webhook',
        description:
          'Generates a new secret. For 24 hours deliveries also carry a signature with the old one, so that the receiver can switch over. Each old secret keeps its 24 hours when the secret is rotated again; while five of them sign: 409 CONFLICT with `reason: old_secrets_work`, and `until` when the first of them ends. Unknown webhook: 404 NOT_FOUND.',
        params: idParams('Webhook id.'),
        response: { 200: envelope(RotatedData, 'The new secret.') },
      },
    },
    async (request, reply) => {
      return runVerb(reply, 200, presentRotated, (transact) => rotateSecret(parts, webhookRef(request), transact))
    },
  )
}

/** The webhook in the path of a request, within the user's organization. */
export function webhookRef(request: FastifyRequest) {
  const { id: webhookId } = request.params as { id: number }
  return { organizationId: request.credential.organizationId, webhookId }
}
