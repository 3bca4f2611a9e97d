import Type from 'typebox'
import {
  type IdentityParts,
  listSecurityEvents,
  presentSecurityEvent,
  SECURITY_EVENT_TYPES,
  type SecurityEventType,
} from '../../../../identity/index.ts'
import { LIST_LIMIT_DEFAULT, LIST_LIMIT_MAX, NETWORK_ADDRESS_LENGTH_MAX } from '../../../../kernel/index.ts'
import { type App, envelope, id, ok, userCredentialOf } from '../../../http/index.ts'
import { byAdmins } from '../../access.ts'
import { orNull } from '../../formats.ts'
import { dateTime } from '../../schemas.ts'
import { ACTOR_REFERENCE, actorFrom } from '../shared/references.ts'

const types = Object.keys(SECURITY_EVENT_TYPES) as SecurityEventType[]
const typeText = types.map((type) => `${type}: ${SECURITY_EVENT_TYPES[type]}`).join(' ')
const eventId = (description: string) => Type.String({ format: 'uuid', description })
const text = (description: string) => orNull(Type.String(), description)

const SecurityEventData = Type.Object(
  {
    id: eventId('Event id; ids sort by time.'),
    at: dateTime('When the request was refused; of merged events, the first.'),
    type: Type.Enum(types, { description: typeText }),
    organizationId: orNull(id('Organization id.'), 'Your organization.'),
    actor: orNull(
      Type.Object({
        type: Type.Enum(['user', 'key', 'system', 'service_account'], {
          description: 'A member, an API key, the host, or a service account.',
        }),
        id: orNull(id('Id of the member or the key.'), 'Id of the member or the key; null for the host.'),
      }),
      'Whose credential or account was presented; null if unknown.',
    ),
    keyId: orNull(id('Key id.'), 'Id of the API key, if the actor is one.'),
    address: text('The network address that the request came from.'),
    userAgent: text('The `User-Agent` header, shortened, without control characters.'),
    method: text('HTTP method.'),
    route: text('Template of the route, such as `/v1/wallets/:walletId`; null for an unknown path.'),
    status: orNull(Type.Integer(), 'HTTP status of the response.'),
    code: text('Error code of the response.'),
    reason: text('A word that says more than the code, such as `expired_key`; docs/security-events.md lists them.'),
    requestId: text('Id of the request, as in the response and the request log.'),
    count: Type.Integer({
      minimum: 1,
      description: 'Number of refused requests; above 1, fields in which they differ are null.',
    }),
    lastAt: dateTime('When the last of them was refused.'),
  },
  { $id: 'SecurityEvent', description: 'A refused request, or several of one kind.' },
)

const SecurityEventPageData = Type.Object(
  {
    events: Type.Array(SecurityEventData, { description: 'Newest first.' }),
    nextCursor: orNull(eventId('Event id.'), 'Send it as `cursor` to get the next page; null if there is none.'),
  },
  { $id: 'SecurityEventPage', description: 'A page of security events.' },
)

/** Refused requests that concern the organization: `/api/core/security-events`. */
export function securityEventRoutes(app: App, parts: Pick<IdentityParts, 'db'>): void {
  app.get(
    '/api/core/security-events',
    {
      config: byAdmins,
      schema: {
        tags: ['Security events'],
        operationId: 'listSecurityEvents',
        summary: 'List security events',
        description:
          'Refused requests with a credential or an account of your organization, newest first: wrong passwords, revoked keys, missing permissions, exceeded limits. Events are deleted after 90 days; the operator can change that. Under a flood, events of one type and network are merged and have a `count`.',
        querystring: Type.Object({
          limit: Type.Integer({
            minimum: 1,
            maximum: LIST_LIMIT_MAX,
            default: LIST_LIMIT_DEFAULT,
            description: `How many events to return, at most ${LIST_LIMIT_MAX}.`,
          }),
          cursor: Type.Optional(eventId('Return events before this one: `nextCursor` of the last page.')),
          type: Type.Optional(Type.Enum(types, { description: 'Only events of this type.' })),
          actor: Type.Optional(ACTOR_REFERENCE),
          address: Type.Optional(
            Type.String({
              minLength: 2,
              maxLength: NETWORK_ADDRESS_LENGTH_MAX,
              description: 'Only events from this address.',
            }),
          ),
          code: Type.Optional(
            Type.String({ pattern: '^[A-Z_]{1,64}$', description: 'Only events with this error code.' }),
          ),
          from: Type.Optional(dateTime('Only events at or after this time.')),
          to: Type.Optional(dateTime('Only events before this time.')),
        }),
        response: { 200: envelope(SecurityEventPageData, 'The events.') },
      },
    },
    async (request) => {
      const { limit, cursor, type, actor, address, code, from, to } = request.query
      const filter = {
        type,
        actor: actor === undefined ? undefined : actorFrom(actor),
        address,
        code,
        since: from === undefined ? undefined : new Date(from),
        until: to === undefined ? undefined : new Date(to),
      }
      await app.securityEvents?.flush()
      const { organizationId } = userCredentialOf(request)
      const page = await listSecurityEvents(parts, organizationId, filter, { limit, cursor })
      return ok({ events: page.events.map(presentSecurityEvent), nextCursor: page.nextCursor })
    },
  )
}
