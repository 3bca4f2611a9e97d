import Type from 'typebox'
import { type IdentityParts, type KeyError, listKeyErrors } from '../../../../identity/index.ts'
import {
  type App,
  envelope,
  id,
  ok,
  optionalPageQuery,
  pageWindowOf,
  totalCount,
  userCredentialOf,
} from '../../../http/index.ts'
import { byEveryone } from '../../access.ts'
import { orNull } from '../../formats.ts'
import { dateTime } from '../../schemas.ts'

const line = (description: string) => Type.String({ description })

const KeyErrorData = Type.Object(
  {
    keyId: id('The key that sent the requests.'),
    keyName: line('Its name.'),
    method: line('HTTP method.'),
    route: line('Template of the route, such as `/v1/wallets/:walletId`.'),
    status: Type.Integer({ description: 'HTTP status of the latest response.' }),
    code: line('Error code of the responses.'),
    count: Type.Integer({ minimum: 1, description: 'How many requests failed in this way.' }),
    firstAt: dateTime('When the first of them failed.'),
    lastAt: dateTime('When the latest failed.'),
    requestId: line('Id of the latest request, as in its response and in the log of the service.'),
    reason: orNull(line('A word.'), '`details.reason` of the latest response.'),
    issues: Type.Array(Type.Object({ path: line('Which field.'), message: line('What is wrong with it.') }), {
      description: 'What was invalid in the latest request; at most five.',
    }),
    sent: Type.Record(Type.String(), Type.Unknown(), {
      description:
        '`params`, `query` and `body` of the latest request: ids, amounts and enum values verbatim; other text by length only. Empty for requests without fields, and for large ones.',
    }),
  },
  { $id: 'KeyError', description: 'What goes wrong with the requests of a key, with the latest as an example.' },
)

const present = ({ firstAt, lastAt, issues, sent, ...same }: KeyError) => ({
  ...same,
  firstAt: firstAt.toISOString(),
  lastAt: lastAt.toISOString(),
  issues: [...issues],
  sent: { ...sent },
})

/** Failed requests of the organization's keys, by kind: `/api/core/apikeys/errors`. */
export function keyErrorRoutes(app: App, parts: Pick<IdentityParts, 'db'>): void {
  app.get(
    '/api/core/apikeys/errors',
    {
      config: byEveryone,
      schema: {
        tags: ['API keys'],
        operationId: 'listKeyErrors',
        summary: 'List errors of API keys',
        description:
          'What failed among the requests of your keys, the latest first: one entry for each key, route and error code. Entries are deleted 30 days after their latest request. Requests with a key that does not work are in the security events. `X-Total-Count` holds the total.',
        querystring: Type.Object({ ...optionalPageQuery }),
        response: { 200: envelope(Type.Array(KeyErrorData), 'The errors.') },
      },
    },
    async (request, reply) => {
      await app.keyErrors?.flush()
      const { organizationId } = userCredentialOf(request)
      const { items, total } = await listKeyErrors(parts, organizationId, pageWindowOf(request.query))
      totalCount(reply, total)
      return ok(items.map(present))
    },
  )
}
