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
      'organization: agent endpoints, reads on core, and every wallet on v1. profile: the wallets of one profile on v1. admin: read-only access to everything on v1.',
  }),
  walletProfileId: Type.Union([id('Wallet profile id.'), Type.Null()], {
    description: 'The wallet profile of a profile-scoped key; null for other scopes.',
  }),
  keyPreview: Type.String({ description: 'Prefix and last four characters of the key.' }),
  createdAt: dateTime('When the key was generated.'),
}

const ApiKeyData = Type.Object(
  {
    ...keyFields,
    lastUsedAt: Type.Union([dateTime('When the key was last used.'), Type.Null()], {
      description: 'When the key was last used, accurate to about a second; null if never.',
    }),
  },
  { $id: 'ApiKey', description: 'An API key without its value.' },
)

const GeneratedApiKey = Type.Object(
  {
    apiKey: Type.Union([Type.String(), Type.Null()], {
      description: 'The key. Returned only once; null in an idempotent replay.',
    }),
    ...keyFields,
  },
  { $id: 'GeneratedApiKey', description: 'A new API key with its value.' },
)

const Validity = Type.Object(
  {
    valid: Type.Boolean({ description: 'Whether the key works here.' }),
    message: Type.String({ description: 'Human-readable explanation.' }),
  },
  { $id: 'ApiKeyValidity', description: 'Whether an API key is valid.' },
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
          'With `walletProfileId` the key has profile scope, with `isAdmin` admin scope, with neither organization scope; with both: 400 VALIDATION_ERROR. Unknown wallet profile: 404 NOT_FOUND. The key is returned only once: Weir stores a keyed hash of it.',
        body: Type.Object({
          name: Type.String({ minLength: 1, maxLength: NAME_LENGTH_MAX, description: 'Descriptive label.' }),
          walletProfileId: Type.Optional(id('The wallet profile of the key.')),
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
          'Active keys, newest first; all by default, or `limit` at a time. `X-Total-Count` holds the total. Their values are never returned.',
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
          'Requests with the key return 403 API_KEY_DISABLED from now on. Returns 404 if the key is unknown or already revoked.',
        params: idParams('Key id.'),
        response: { 200: envelope(Deleted, 'The key was revoked.') },
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
        summary: 'Check an API key',
        description:
          'Accepts keys of any scope. Returns `valid: false` for an unknown or revoked key and for a key of the other environment. Without the header: 401 UNAUTHORIZED.',
        response: { 200: envelope(Validity, 'Whether the key is valid.') },
      },
    },
    async (request) => ok(await validateKey(parts, String(request.headers['x-api-key']).trim())),
  )
}
