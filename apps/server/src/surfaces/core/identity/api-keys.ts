import Type from 'typebox'
import {
  type ApiKey,
  type ApiKeyWithSecret,
  type ApiKeyWithUsage,
  deleteKey,
  generateKey,
  type IdentityParts,
  listKeys,
  validateKey,
} from '../../../identity/index.ts'
import { NAME_LENGTH_MAX } from '../../../kernel/index.ts'
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

const keyFields = {
  id: id('Key id.'),
  name: Type.String({ description: 'Descriptive label.' }),
  scope: Type.Enum(['organization', 'profile', 'admin'], {
    description:
      'organization: agent endpoints, core reads, and every wallet on v1. profile: the wallets of one profile on v1. admin: reads everything on v1, changes nothing.',
  }),
  walletProfileId: Type.Union([id('Wallet profile id.'), Type.Null()], {
    description: 'The one wallet profile that a profile-scoped key sees; null for the other scopes.',
  }),
  keyPreview: Type.String({ description: 'Prefix and last four characters of the key.' }),
  createdAt: dateTime('When the key was generated.'),
}

const ApiKeyData = Type.Object(
  {
    ...keyFields,
    lastUsedAt: Type.Union([dateTime('When the key was last used.'), Type.Null()], {
      description: 'When the key was last used, to about a second; null if never.',
    }),
  },
  { $id: 'ApiKey', description: 'An API key without its value.' },
)

const GeneratedApiKey = Type.Object(
  {
    apiKey: Type.Union([Type.String(), Type.Null()], {
      description: 'The key. It is shown this once, and is null in an idempotent replay.',
    }),
    ...keyFields,
  },
  { $id: 'GeneratedApiKey', description: 'A new API key with its value.' },
)

const Validity = Type.Object(
  {
    valid: Type.Boolean({ description: 'Whether the key works here.' }),
    message: Type.String({ description: 'A sentence that says why, or why not.' }),
  },
  { $id: 'ApiKeyValidity', description: 'What a key is worth here.' },
)

const presentKey = ({ id: keyId, name, scope, walletProfileId, keyPreview, createdAt }: ApiKey) => ({
  id: keyId,
  name,
  scope,
  walletProfileId,
  keyPreview,
  createdAt: createdAt.toISOString(),
})
const presentListed = (key: ApiKeyWithUsage) => ({
  ...presentKey(key),
  lastUsedAt: key.lastUsedAt?.toISOString() ?? null,
})
const presentGenerated = (key: ApiKeyWithSecret) => ok({ apiKey: key.apiKey, ...presentKey(key) })

const tags = ['API keys']

/** API keys of all three scopes: `/api/core/apikeys` (spec 4.1, contract 3). */
export function apiKeyRoutes(app: App, parts: IdentityParts): void {
  app.post(
    '/api/core/apikeys/generate',
    {
      config: {
        ...byAdmins,
        idempotent: 'secret',
        secretFields: ['data.apiKey'],
        audit: { details: ['data.scope', 'data.walletProfileId'] },
      },
      schema: {
        tags,
        operationId: 'generateApiKey',
        summary: 'Generate an API key',
        description:
          'With `walletProfileId` the key is profile-scoped, with `isAdmin` it reads the whole organization on v1, with neither it is an organization key; with both: 400 VALIDATION_ERROR. An unknown wallet profile: 404 NOT_FOUND. The key is shown this once: only a keyed hash of it is stored.',
        body: Type.Object({
          name: Type.String({ minLength: 1, maxLength: NAME_LENGTH_MAX, description: 'Descriptive label.' }),
          walletProfileId: Type.Optional(id('The wallet profile that the key is tied to.')),
          isAdmin: Type.Optional(Type.Boolean({ description: 'True for an admin key.' })),
        }),
        response: { 201: envelope(GeneratedApiKey, 'The new key.') },
      },
    },
    async (request, reply) => {
      const { organizationId } = userCredentialOf(request)
      const asked = { ...request.body, organizationId }
      return runVerb(reply, 201, presentGenerated, (transact) => generateKey(parts, asked, transact))
    },
  )

  app.get(
    '/api/core/apikeys',
    {
      config: byEveryone,
      schema: {
        tags,
        operationId: 'listApiKeys',
        summary: 'List API keys',
        description:
          'The keys that work, newest first; all of them, unless `limit` is sent. `X-Total-Count` tells how many there are. Their values are never returned.',
        querystring: Type.Object({ ...optionalPageQuery }),
        response: { 200: envelope(Type.Array(ApiKeyData), 'The keys.') },
      },
    },
    async (request, reply) => {
      const { items, total } = await listKeys(
        parts,
        userCredentialOf(request).organizationId,
        pageWindowOf(request.query),
      )
      totalCount(reply, total)
      return ok(items.map(presentListed))
    },
  )

  app.delete(
    '/api/core/apikeys/:id',
    {
      config: byAdmins,
      schema: {
        tags,
        operationId: 'deleteApiKey',
        summary: 'Revoke an API key',
        description:
          'The next request with the key is refused with 403 API_KEY_DISABLED. A key that was revoked before is unknown (404).',
        params: idParams('Key id.'),
        response: { 200: envelope(Deleted, 'The key is revoked.') },
      },
    },
    async (request, reply) => {
      const { organizationId } = userCredentialOf(request)
      return runVerb(reply, 200, presentDeleted, (transact) =>
        deleteKey(parts, organizationId, request.params.id, transact),
      )
    },
  )

  app.post(
    '/api/core/apikeys/validate',
    {
      config: { access: { surface: 'validate' }, limit: 'core' },
      schema: {
        tags,
        operationId: 'validateApiKey',
        summary: 'Ask whether an API key works',
        description:
          'Any key of this environment, whatever its scope. An unknown or revoked key, or one of the other environment, is answered with `valid: false`. Without the header: 401 UNAUTHORIZED.',
        response: { 200: envelope(Validity, 'What the key is worth.') },
      },
    },
    async (request) => ok(await validateKey(parts, String(request.headers['x-api-key']).trim())),
  )
}
