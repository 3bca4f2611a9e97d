import Type from 'typebox'
import {
  createServiceAccount,
  deleteServiceAccount,
  getServiceAccount,
  type IdentityParts,
  listServiceAccounts,
  rotateServiceAccount,
  type ServiceAccount,
  type ServiceAccountWithSecret,
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
  envelope,
  id,
  idParams,
  ok,
  optionalPageQuery,
  pageWindowOf,
  runVerb,
  totalCount,
  userCredentialOf,
} from '../../../http/index.ts'
import { byAdminsWithStepUp, byEveryone, byEveryoneAndServiceAccounts } from '../../access.ts'
import { orNull } from '../../formats.ts'
import { Deleted, dateTime, presentDeleted } from '../../schemas.ts'

const role = Type.Enum(['admin', 'viewer'], {
  $id: 'ServiceAccountRole',
  description: 'admin: what an admin may do without a person. viewer: reads only.',
})

const SecretData = Type.Object(
  {
    preview: Type.String({ description: 'Prefix and last four characters of the secret.' }),
    createdAt: dateTime('When the secret was made.'),
    createdBy: id('The member who received it; their approval of what the account requests does not count.'),
    expiresAt: orNull(dateTime('When the secret expires.'), 'When the secret expires; null: never.'),
    lastUsedAt: orNull(
      dateTime('When the secret was last used.'),
      'When the secret was last used, accurate to about a second; null if never.',
    ),
    lastUsedAddress: orNull(
      Type.String({ description: 'Network address.' }),
      'The address that the secret was last used from; null if never.',
    ),
  },
  { $id: 'ServiceAccountSecret', description: 'A secret of a service account without its value.' },
)

const accountFields = {
  id: id('Service account id. It stays the same when the secret is rotated.'),
  name: Type.String({ description: 'Descriptive label.' }),
  role,
  allowedAddresses: orNull(
    Type.Array(Type.String()),
    'Networks in CIDR notation that the account may be used from; null: any.',
  ),
  createdAt: dateTime('When the account was created.'),
  createdBy: id('The user who created the account.'),
  secrets: Type.Array(SecretData, {
    description:
      'The secrets that work, newest first: the current one, and the one before it while both work; none once it has expired.',
  }),
}

const AccountData = Type.Object(accountFields, {
  $id: 'ServiceAccount',
  description: 'A service account without its secrets.',
})

const CreatedAccount = Type.Object(
  {
    secret: orNull(
      Type.String({ description: 'The secret.' }),
      'The new secret. Returned only once; null in an idempotent replay.',
    ),
    ...accountFields,
  },
  { $id: 'CreatedServiceAccount', description: 'A service account with its new secret.' },
)

const present = ({ secrets, allowedAddresses, createdAt, ...account }: ServiceAccount) => ({
  id: account.id,
  name: account.name,
  role: account.role,
  allowedAddresses: allowedAddresses === null ? null : [...allowedAddresses],
  createdAt: createdAt.toISOString(),
  createdBy: account.createdBy,
  secrets: secrets.map((secret) => ({
    ...secret,
    createdAt: secret.createdAt.toISOString(),
    expiresAt: secret.expiresAt?.toISOString() ?? null,
    lastUsedAt: secret.lastUsedAt?.toISOString() ?? null,
  })),
})
const presentOne = (account: ServiceAccount) => ok(present(account))
const presentWithSecret = (account: ServiceAccountWithSecret) => ok({ secret: account.secret, ...present(account) })

/** Both routes return a new secret. */
const makesSecret = {
  ...byAdminsWithStepUp,
  idempotent: 'secret',
  secretFields: ['data.secret'],
  change: { kind: 'keys' },
} as const

const tags = ['Service accounts']
const params = idParams('Service account id.')

/** Service accounts: `/api/core/service-accounts`. Only people reach these routes. */
export function serviceAccountRoutes(app: App, parts: IdentityParts): void {
  app.post(
    '/api/core/service-accounts',
    {
      config: { ...makesSecret, audit: { details: ['data.role', 'body.expiresAt'] } },
      schema: {
        tags,
        operationId: 'createServiceAccount',
        summary: 'Create a service account',
        description:
          'A service account calls core with `Authorization: Bearer` and its secret, without a session. It may do what its role allows, except what needs a person: then 403 FORBIDDEN with `details.reason` `person_required`. It requests changes that need approval, and members other than the one who received its secret approve them. The secret is returned only once: Weir stores a keyed hash of it. At the quota of keys, which service accounts share: 409 CONFLICT.',
        body: Type.Object({
          name: Type.String({ minLength: 1, maxLength: NAME_LENGTH_MAX, description: 'Descriptive label.' }),
          role,
          allowedAddresses: Type.Optional(
            Type.Array(Type.String({ maxLength: NETWORK_ADDRESS_LENGTH_MAX }), {
              minItems: 1,
              maxItems: API_KEY_ALLOWED_ADDRESSES_MAX,
              description:
                'Addresses and networks (CIDR) that the account may be used from; from any other: 403 FORBIDDEN. Without it: any.',
            }),
          ),
          expiresAt: Type.Optional(
            dateTime(
              'When the secret expires: from then on 401 UNAUTHORIZED. Must be in the future. Without it: never.',
            ),
          ),
        }),
        response: { 201: envelope(CreatedAccount, 'The new service account.'), 202: ChangeRequested },
      },
    },
    async (request, reply) => {
      const { organizationId, userId: createdBy } = userCredentialOf(request)
      const { expiresAt, ...body } = request.body
      const asked = { ...body, expiresAt: expiresAt === undefined ? undefined : new Date(expiresAt) }
      return runVerb(reply, 201, presentWithSecret, (transact) =>
        createServiceAccount(parts, { ...asked, organizationId, createdBy }, transact),
      )
    },
  )

  app.get(
    '/api/core/service-accounts',
    {
      config: byEveryone,
      schema: {
        tags,
        operationId: 'listServiceAccounts',
        summary: 'List service accounts',
        description:
          'Accounts that are not deleted, newest first; all by default, or `limit` at a time. `X-Total-Count` holds the total. Their secrets are never returned.',
        querystring: Type.Object({ ...optionalPageQuery }),
        response: { 200: envelope(Type.Array(AccountData), 'The service accounts.') },
      },
    },
    async (request, reply) => {
      await parts.usage.flush()
      const { organizationId } = userCredentialOf(request)
      const { items, total } = await listServiceAccounts(parts, organizationId, pageWindowOf(request.query))
      totalCount(reply, total)
      return ok(items.map(present))
    },
  )

  app.get(
    '/api/core/service-accounts/own',
    {
      config: byEveryoneAndServiceAccounts,
      schema: {
        tags,
        operationId: 'getOwnServiceAccount',
        summary: 'Get the service account of this request',
        description: 'For a program that checks what its secret may do. A session: 404 NOT_FOUND.',
        response: { 200: envelope(AccountData, 'The service account.') },
      },
    },
    async ({ credential }) => {
      if (credential.kind !== 'service_account')
        throw new Failure('NOT_FOUND', { message: 'This request comes from no service account.' })
      await parts.usage.flush()
      return presentOne(await getServiceAccount(parts, credential))
    },
  )

  app.get(
    '/api/core/service-accounts/:id',
    {
      config: byEveryone,
      schema: {
        tags,
        operationId: 'getServiceAccount',
        summary: 'Get a service account',
        description: 'Returns a service account without its secrets. Unknown or deleted account: 404 NOT_FOUND.',
        params,
        response: { 200: envelope(AccountData, 'The service account.') },
      },
    },
    async (request) => {
      await parts.usage.flush()
      return presentOne(await getServiceAccount(parts, accountRef(request)))
    },
  )

  app.delete(
    '/api/core/service-accounts/:id',
    {
      config: byAdminsWithStepUp,
      schema: {
        tags,
        operationId: 'deleteServiceAccount',
        summary: 'Delete a service account',
        description:
          'Requests with its secrets return 401 UNAUTHORIZED from now on; what it created stays, and the changes that it requested are cancelled. Unknown or already deleted account: 404 NOT_FOUND.',
        params,
        response: { 200: envelope(Deleted, 'The service account was deleted.') },
      },
    },
    async (request, reply) =>
      runVerb(reply, 200, presentDeleted, (transact) => deleteServiceAccount(parts, accountRef(request), transact)),
  )

  app.post(
    '/api/core/service-accounts/:id/rotate',
    {
      config: { ...makesSecret, audit: { details: ['body.overlapSeconds'] } },
      schema: {
        tags,
        operationId: 'rotateServiceAccount',
        summary: 'Rotate the secret of a service account',
        description:
          'Makes a new secret. The previous one expires after `overlapSeconds`, or at its own expiry, if sooner. If it has an expiry, the new one has the same lifetime from now, even if it has already expired. While two secrets work, 409 CONFLICT (`details.reason` `earlier_secret_works`); without an overlap all earlier ones end at once. Unknown account: 404 NOT_FOUND. The new secret is returned only once.',
        params,
        body: Type.Object({
          overlapSeconds: Type.Optional(
            Type.Integer({
              minimum: 0,
              maximum: API_KEY_OVERLAP_SECONDS_MAX,
              default: API_KEY_OVERLAP_SECONDS,
              description: 'How long the previous secret still works.',
            }),
          ),
        }),
        response: { 201: envelope(CreatedAccount, 'The account with its new secret.'), 202: ChangeRequested },
      },
    },
    async (request, reply) => {
      const { userId: createdBy } = userCredentialOf(request)
      const rotation = { ...accountRef(request), overlapSeconds: request.body.overlapSeconds, createdBy }
      return runVerb(reply, 201, presentWithSecret, (transact) => rotateServiceAccount(parts, rotation, transact))
    },
  )
}

/** The account in the path of a request, within the user's organization. */
function accountRef(request: Parameters<typeof userCredentialOf>[0]) {
  const { id: serviceAccountId } = request.params as { id: number }
  return { organizationId: userCredentialOf(request).organizationId, serviceAccountId }
}
