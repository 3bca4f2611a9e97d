import Type from 'typebox'
import {
  deleteKey,
  generateKey,
  type IdentityParts,
  listKeys,
  rotateKey,
  validateKey,
} from '../../../../identity/index.ts'
import {
  API_KEY_ALLOWED_ADDRESSES_MAX,
  API_KEY_OVERLAP_SECONDS,
  API_KEY_OVERLAP_SECONDS_MAX,
  Failure,
  NAME_LENGTH_MAX,
  NETWORK_ADDRESS_LENGTH_MAX,
} from '../../../../kernel/index.ts'
import {
  type App,
  ChangeRequested,
  clientAddress,
  enumQuery,
  envelope,
  id,
  idParams,
  ok,
  optionalPageQuery,
  pageWindowOf,
  recordRefusal,
  runVerb,
  searchText,
  totalCount,
  userCredentialOf,
} from '../../../http/index.ts'
import { byAdminsWithStepUp, byEveryone } from '../../access.ts'
import { optionalEnumValueOf } from '../../formats.ts'
import { Deleted, dateTime, presentDeleted } from '../../schemas.ts'
import {
  ApiKeyData,
  GeneratedApiKey,
  permission,
  permissionNames,
  presentGenerated,
  presentListed,
  presentValidity,
  SCOPES,
  Validity,
} from './key-schemas.ts'

/** Both routes return a new key. */
const createsKey = {
  ...byAdminsWithStepUp,
  idempotent: 'secret',
  secretFields: ['data.apiKey'],
  change: { kind: 'keys' },
} as const

const tags = ['API keys']

/** API keys of all three scopes: `/api/core/apikeys` (spec 4.1, contract 3). */
export function apiKeyRoutes(app: App, parts: IdentityParts): void {
  app.post(
    '/api/core/apikeys/generate',
    {
      config: {
        ...createsKey,
        audit: { details: ['data.scope', 'data.walletProfileId', 'data.permissions', 'data.expiresAt'] },
      },
      schema: {
        tags,
        operationId: 'generateApiKey',
        summary: 'Generate an API key',
        description:
          'With `walletProfileId` the key has profile scope, with `isAdmin` admin scope, with neither organization scope; with both: 400 VALIDATION_ERROR. Unknown wallet profile: 404 NOT_FOUND. With `permissions` the key is limited to them: a request that needs another one returns 403 FORBIDDEN. Keys of profile scope cannot have `agent`; admin keys can have `read` and `ramp`, and only read; `agent` cannot be combined with another permission. The key is returned only once: Weir stores a keyed hash of it.',
        body: Type.Object({
          name: Type.String({ minLength: 1, maxLength: NAME_LENGTH_MAX, description: 'Descriptive label.' }),
          walletProfileId: Type.Optional(id('The wallet profile of the key.')),
          isAdmin: Type.Optional(Type.Boolean({ description: 'True for an admin key.' })),
          permissions: Type.Optional(
            Type.Array(permission, {
              minItems: 1,
              maxItems: permissionNames.length,
              description: 'What the key may do. Without it: everything that its scope allows.',
            }),
          ),
          allowedAddresses: Type.Optional(
            Type.Array(Type.String({ maxLength: NETWORK_ADDRESS_LENGTH_MAX }), {
              minItems: 1,
              maxItems: API_KEY_ALLOWED_ADDRESSES_MAX,
              description:
                'Addresses and networks (CIDR) that the key may be used from; from any other: 403 FORBIDDEN. Without it: any.',
            }),
          ),
          expiresAt: Type.Optional(
            dateTime(
              'When the key expires: from then on 403 API_KEY_DISABLED. Must be in the future. Without it: never.',
            ),
          ),
        }),
        response: { 201: envelope(GeneratedApiKey, 'The new key.'), 202: ChangeRequested },
      },
    },
    async (request, reply) => {
      const { organizationId, userId } = userCredentialOf(request)
      const { expiresAt, ...body } = request.body
      const requested = {
        ...body,
        ...(expiresAt !== undefined && { expiresAt: new Date(expiresAt) }),
        organizationId,
        createdBy: userId,
      }
      return runVerb(reply, 201, presentGenerated, (transact) => generateKey(parts, requested, transact))
    },
  )

  app.post(
    '/api/core/apikeys/:id/rotate',
    {
      config: { ...createsKey, audit: { details: ['data.id', 'body.overlapSeconds'] } },
      schema: {
        tags,
        operationId: 'rotateApiKey',
        summary: 'Rotate an API key',
        description:
          'Creates a key with the same name, scope, permissions and addresses. The old key expires after `overlapSeconds`, or at its own expiry, if sooner, and the changes that it requested are cancelled then. If the old key has an expiry, the new one has the same lifetime from now. Returns 404 NOT_FOUND if the key is unknown, revoked or expired, 409 CONFLICT if it was already rotated. The new key is returned only once.',
        params: idParams('Key id.'),
        body: Type.Object({
          overlapSeconds: Type.Optional(
            Type.Integer({
              minimum: 0,
              maximum: API_KEY_OVERLAP_SECONDS_MAX,
              default: API_KEY_OVERLAP_SECONDS,
              description: 'How long the old key still works.',
            }),
          ),
        }),
        response: { 201: envelope(GeneratedApiKey, 'The new key.'), 202: ChangeRequested },
      },
    },
    async (request, reply) => {
      const { organizationId, userId } = userCredentialOf(request)
      const { overlapSeconds } = request.body
      const rotation = { organizationId, keyId: request.params.id, overlapSeconds, createdBy: userId }
      return runVerb(reply, 201, presentGenerated, (transact) => rotateKey(parts, rotation, transact))
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
          'Keys that are neither revoked nor expired, newest first; all by default, or `limit` at a time. `X-Total-Count` holds the total that matches. Their values are never returned.',
        querystring: Type.Object({
          q: searchText(
            'Only keys with a word of the name that begins with this text, case-insensitive, or whose last four characters it is.',
          ),
          scope: Type.Optional(enumQuery(SCOPES, 'Only keys of this scope, case-insensitive.')),
          ...optionalPageQuery,
        }),
        response: { 200: envelope(Type.Array(ApiKeyData), 'The keys.') },
      },
    },
    async (request, reply) => {
      const { organizationId } = userCredentialOf(request)
      const { q: text, scope } = request.query
      const filter = { text, scope: optionalEnumValueOf('scope', scope, SCOPES) }
      const { items, total } = await listKeys(parts, organizationId, pageWindowOf(request.query), filter)
      totalCount(reply, total)
      return ok(items.map(presentListed))
    },
  )

  app.delete(
    '/api/core/apikeys/:id',
    {
      config: byAdminsWithStepUp,
      schema: {
        tags,
        operationId: 'deleteApiKey',
        summary: 'Revoke an API key',
        description:
          'Requests with the key return 403 API_KEY_DISABLED from now on, and the changes that it requested are cancelled. Returns 404 if the key is unknown or already revoked.',
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
          'Accepts keys of any scope. Returns `valid: false` for an unknown, revoked or expired key, for a key of the other environment, and for a key that may not be used from your address. Without the header: 401 UNAUTHORIZED.',
        response: { 200: envelope(Validity, 'Whether the key is valid.') },
      },
    },
    async (request) => {
      const presented = String(request.headers['x-api-key']).trim()
      const validity = await validateKey(parts, presented, clientAddress(request))
      // The response is not an error, but the request may be a guess.
      if (validity.refusal) recordRefusal(request, new Failure('UNAUTHORIZED', { refusal: validity.refusal }), 200)
      return ok(presentValidity(validity))
    },
  )
}
