import Type from 'typebox'
import {
  type Account,
  getAccount,
  type IdentityParts,
  logIn,
  logOut,
  type RegistrationMode,
  refreshSession,
  register,
  type SessionWithTokens,
} from '../../../identity/index.ts'
import { EMAIL_LENGTH_MAX, Failure, NAME_LENGTH_MAX } from '../../../kernel/index.ts'
import { type App, clientNetwork, envelope, id, ok, runVerb, userCredentialOf } from '../../http/index.ts'
import { beforePasswordChange, byEveryone } from '../access.ts'
import { RoleName } from '../schemas.ts'
import { givenPassword, newPassword } from './password-schemas.ts'
import { retryLater } from './retry-later.ts'
import { sessionClientOf } from './session-client.ts'

const email = Type.String({
  minLength: 3,
  maxLength: EMAIL_LENGTH_MAX,
  description: 'E-mail address, case-insensitive.',
})
const name = (of: string) => Type.String({ minLength: 1, maxLength: NAME_LENGTH_MAX, description: of })

const SignedInUser = Type.Object(
  {
    id: id('User id.'),
    email: Type.String({ description: 'E-mail address, in lower case.' }),
    name: Type.Union([Type.String(), Type.Null()], { description: 'Display name; null if not set.' }),
    role: RoleName,
  },
  { $id: 'SignedInUser', description: 'The signed-in user.' },
)
const Organization = Type.Object(
  { id: id('Organization id.'), name: Type.String({ description: 'Organization name.' }) },
  { $id: 'Organization', description: 'The organization of the user.' },
)
const account = { user: SignedInUser, organization: Organization }
const AccountData = Type.Object(account, { $id: 'Account', description: 'A user and their organization.' })

const Session = Type.Object(
  {
    accessToken: Type.Union([Type.String(), Type.Null()], { description: 'JWT for `Authorization: Bearer`.' }),
    tokenType: Type.Literal('Bearer', { description: 'Always Bearer.' }),
    expiresIn: Type.Integer({ description: 'Lifetime of the access token in seconds: one hour.' }),
    refreshToken: Type.Union([Type.String(), Type.Null()], {
      description:
        'Valid for one refresh, until the session has not been used for 30 days or is 90 days old; the operator can change both. Using it a second time ends the session.',
    }),
    ...account,
    passwordChangeRequired: Type.Optional(
      Type.Literal(true, {
        description:
          'Present if somebody else set your password. Every request except setting your own (`POST /api/core/auth/password`) and logging out then returns 403 FORBIDDEN.',
      }),
    ),
  },
  { $id: 'Session', description: 'An open session. In an idempotent replay both tokens are null.' },
)

/** Presents a session on the core surface (contract 3). */
function presentSession({ accessToken, expiresIn, refreshToken, user, organization, ...flags }: SessionWithTokens) {
  return ok({ accessToken, tokenType: 'Bearer' as const, expiresIn, refreshToken, user, organization, ...flags })
}

const presentAccount = ({ user, organization }: Account) => ok({ user, organization })

const tags = ['Authentication']
const signsIn = {
  access: 'auth',
  limit: 'auth',
  idempotent: 'secret',
  secretFields: ['data.accessToken', 'data.refreshToken'],
} as const

/** Registration, login, refresh, logout and the current user: `/api/core/auth/*` (contract 3). */
export function authRoutes(app: App, parts: IdentityParts, registration: RegistrationMode = 'open'): void {
  app.post(
    '/api/core/auth/register',
    {
      config: {
        ...signsIn,
        forbidden: 'Registration is closed, or requires a valid invitation.',
        audit: { object: 'organization', id: 'data.organization.id' },
      },
      schema: {
        tags,
        operationId: 'register',
        summary: 'Register an organization',
        description:
          'Creates an organization with you as its owner and a wallet profile named `default`, and signs you in. Returns 409 CONFLICT if the e-mail address is in use. The operator of the service may close registration, or require an invitation: 403 FORBIDDEN.',
        body: Type.Object({
          email,
          password: newPassword('The new password'),
          name: Type.Optional(name('Your display name.')),
          organizationName: name('Name of the organization.'),
          invitation: Type.Optional(
            Type.String({
              minLength: 1,
              maxLength: 100,
              description: 'The invitation that the operator gave you, where registration requires one.',
            }),
          ),
        }),
        response: { 201: envelope(Session, 'Registered and signed in.') },
      },
    },
    async (request, reply) => {
      requireOpenRegistration(registration, request.body.invitation)
      return runVerb(reply, 201, presentSession, (transact) =>
        register(parts, { ...request.body, client: sessionClientOf(request) }, transact),
      )
    },
  )

  app.post(
    '/api/core/auth/login',
    {
      config: { ...signsIn, audit: { object: 'member', id: 'data.user.id' } },
      schema: {
        tags,
        operationId: 'logIn',
        summary: 'Log in',
        description:
          'Returns 401 UNAUTHORIZED for wrong credentials, whether the e-mail address is unknown or the password is wrong. After 10 failures within 15 minutes per account and address: 429 RATE_LIMIT_EXCEEDED. From addresses that the account has never logged in from, 50 failures within 24 hours in all: then one attempt after a pause of 15 seconds to 5 minutes, otherwise 429 with `Retry-After`.',
        body: Type.Object({ email: Type.String({ ...email, minLength: 1 }), password: givenPassword('The password.') }),
        response: { 200: envelope(Session, 'Signed in.') },
      },
    },
    async (request, reply) => {
      const input = { ...request.body, address: clientNetwork(request), client: sessionClientOf(request) }
      return runVerb(reply, 200, presentSession, (transact) => logIn(parts, input, transact)).catch((error) =>
        retryLater(error, reply),
      )
    },
  )

  app.post(
    '/api/core/auth/refresh',
    {
      // Not audited: every session refreshes hourly, and it grants nothing new.
      config: { ...signsIn, audit: false },
      schema: {
        tags,
        operationId: 'refreshSession',
        summary: 'Refresh a session',
        description:
          'Exchanges the refresh token for a new pair of tokens. If a refresh token is used twice, it was copied: the whole session ends, and both holders get 401 UNAUTHORIZED.',
        body: Type.Object({
          refreshToken: Type.String({ minLength: 1, maxLength: 1_024, description: 'The latest refresh token.' }),
        }),
        response: { 200: envelope(Session, 'New tokens.') },
      },
    },
    async (request, reply) =>
      runVerb(reply, 200, presentSession, (transact) =>
        refreshSession(parts, { ...request.body, client: sessionClientOf(request) }, transact),
      ),
  )

  app.post(
    '/api/core/auth/logout',
    {
      config: { ...beforePasswordChange, audit: { object: 'member', id: 'credential.userId' } },
      schema: {
        tags,
        operationId: 'logOut',
        summary: 'Log out',
        description: 'Ends this session: its access token and its refresh tokens stop working at once.',
        response: {
          200: envelope(
            Type.Object({ loggedOut: Type.Literal(true, { description: 'Always true.' }) }, { $id: 'LoggedOut' }),
            'The session has ended.',
          ),
        },
      },
    },
    async (request, reply) => {
      const present = () => ok({ loggedOut: true as const })
      return runVerb(reply, 200, present, (transact) => logOut(parts, userCredentialOf(request), transact))
    },
  )

  app.get(
    '/api/core/auth/me',
    {
      config: byEveryone,
      schema: {
        tags,
        operationId: 'getMe',
        summary: 'Get the current user',
        description: 'Returns the signed-in user with their current role and organization.',
        response: { 200: envelope(AccountData, 'The current user.') },
      },
    },
    async (request) => presentAccount(await getAccount(parts, userCredentialOf(request))),
  )
}

/** FORBIDDEN where nobody, or only the holder of an invitation, may register. */
function requireOpenRegistration(mode: RegistrationMode, invitation: string | undefined): void {
  if (mode === 'closed') throw new Failure('FORBIDDEN', { message: 'Registration is closed on this service.' })
  if (mode === 'invite' && invitation === undefined) {
    throw new Failure('FORBIDDEN', { message: 'Registration on this service requires an invitation.' })
  }
}
