import Type from 'typebox'
import { type IdentityParts, type ListedRequest, listKeyRequests } from '../../../../identity/index.ts'
import { KEY_REQUESTS_MAX, validationError } from '../../../../kernel/index.ts'
import {
  type App,
  beforeQuery,
  enumQuery,
  envelope,
  id,
  ok,
  pageQuery,
  pageWindowOf,
  totalCount,
  userCredentialOf,
} from '../../../http/index.ts'
import { byEveryone } from '../../access.ts'
import { optionalEnumValueOf, orNull } from '../../formats.ts'
import { dateTime } from '../../schemas.ts'

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD'] as const
const OUTCOMES = ['ok', 'failed'] as const

const line = (description: string) => Type.String({ description })

const KeyRequestData = Type.Object(
  {
    id: id('Id of the entry; a later request has a higher one.'),
    at: dateTime('When the response was sent.'),
    actor: Type.Object(
      {
        type: Type.Enum(['key', 'service_account'], { description: 'An API key or a service account.' }),
        id: id('Id of the key or the service account.'),
        name: orNull(Type.String(), 'Its name; null if it is gone.'),
      },
      { description: 'What sent the request.' },
    ),
    requestId: line('Id of the request, as in its response and in the log of the service.'),
    method: line('HTTP method.'),
    route: line('Template of the route, such as `/v1/wallets/:walletId`.'),
    path: line('The same with the ids that are numbers, such as `/v1/wallets/7`.'),
    status: Type.Integer({ description: 'HTTP status of the response.' }),
    code: orNull(Type.String(), 'Error code of the response; null if the request succeeded.'),
    durationMs: Type.Integer({ minimum: 0, description: 'How long the response took, in milliseconds.' }),
  },
  { $id: 'KeyRequest', description: 'A request of an API key or a service account, without what it sent.' },
)

const present = ({ actorType, actorId, actorName, at, ...same }: ListedRequest) => ({
  ...same,
  at: at.toISOString(),
  actor: { type: actorType, id: actorId, name: actorName },
})

interface ActorQuery {
  readonly keyId?: number
  readonly serviceAccountId?: number
}

function actorOf({ keyId, serviceAccountId }: ActorQuery) {
  if (keyId !== undefined && serviceAccountId !== undefined)
    throw validationError('serviceAccountId', 'must not be sent with keyId')
  if (keyId !== undefined) return { actorType: 'key', actorId: keyId } as const
  return serviceAccountId === undefined
    ? undefined
    : ({ actorType: 'service_account', actorId: serviceAccountId } as const)
}

/** The latest requests of the organization's keys and service accounts: `/api/core/apikeys/requests`. */
export function keyRequestRoutes(app: App, parts: Pick<IdentityParts, 'db'>): void {
  app.get(
    '/api/core/apikeys/requests',
    {
      config: byEveryone,
      schema: {
        tags: ['API keys'],
        operationId: 'listKeyRequests',
        summary: 'List requests of API keys',
        description: `The latest ${KEY_REQUESTS_MAX} requests of each of your keys and service accounts within 7 days, newest first, about a second after their responses. What they sent is not stored. Left out are polls of agents that found no work, and requests whose client disconnected. Requests with a key that does not work are in the security events. \`X-Total-Count\` holds the total.`,
        querystring: Type.Object({
          keyId: Type.Optional(id('Only those of this key.')),
          serviceAccountId: Type.Optional(id('Only those of this service account.')),
          status: Type.Optional(
            enumQuery(OUTCOMES, 'ok: only requests that succeeded. failed: only those with a status of 400 or above.'),
          ),
          method: Type.Optional(enumQuery(METHODS, 'Only this HTTP method, case-insensitive.')),
          route: Type.Optional(
            Type.String({
              minLength: 1,
              description: 'Only this template of a route, such as `/v1/wallets/:walletId`.',
            }),
          ),
          ...pageQuery,
          ...beforeQuery,
        }),
        response: { 200: envelope(Type.Array(KeyRequestData), 'The requests.') },
      },
    },
    async (request, reply) => {
      const { query } = request
      const filter = {
        actor: actorOf(query),
        outcome: optionalEnumValueOf('status', query.status, OUTCOMES),
        method: optionalEnumValueOf('method', query.method, METHODS),
        route: query.route,
      }
      await app.keyRequests?.flush()
      const page = { ...pageWindowOf(query), before: query.before }
      const { items, total } = await listKeyRequests(parts, userCredentialOf(request).organizationId, filter, page)
      totalCount(reply, total)
      return ok(items.map(present))
    },
  )
}
