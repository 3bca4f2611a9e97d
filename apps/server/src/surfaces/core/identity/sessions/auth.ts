import Type from 'typebox'
import {
  getAccount,
  type IdentityParts,
  logIn,
  logOut,
  type RegistrationMode,
  refreshSession,
} from '../../../../identity/index.ts'
import { REFRESH_TOKEN_LENGTH_MAX } from '../../../../kernel/index.ts'
import { type App, clientNetwork, envelope, ok, runVerb, userCredentialOf } from '../../../http/index.ts'
import { beforePasswordChange, byEveryone } from '../../access.ts'
import { registrationRoutes } from '../accounts/registration.ts'
import { givenPassword } from '../shared/password-schemas.ts'
import { sessionClientOf } from '../shared/session-client.ts'
import { AccountData, email, presentAccount, presentSession, Session, signsIn } from '../shared/session-schemas.ts'
import { LoginData, presentLogin } from './login-schemas.ts'

const tags = ['Authentication']

/** Registration, sign-in, refresh, sign-out and the current user: `/api/core/auth/*` (contract 3). */
export function authRoutes(app: App, parts: IdentityParts, registration: RegistrationMode = 'open'): void {
  registrationRoutes(app, parts, registration)

  app.post(
    '/api/core/auth/login',
    {
      config: {
        ...signsIn,
        forbidden: 'The organization of the email domain requires single sign-on.',
        audit: { object: 'member', id: 'data.user.id' },
      },
      schema: {
        tags,
        operationId: 'logIn',
        summary: 'Sign in',
        description:
          'Returns 401 UNAUTHORIZED for wrong credentials, whether the email address is unknown or the password is wrong. After 10 failures within 15 minutes per account and address: 429 RATE_LIMIT_EXCEEDED. If you have a second factor, the response has `secondFactorRequired` and a `challengeToken` instead of a session: complete the sign-in with `POST /api/core/auth/second-factor`. From addresses that the account has never signed in from, 50 failures within 24 hours in all: then one attempt after a pause of 15 seconds to 5 minutes, otherwise 429 with `Retry-After`. Where single sign-on is required for the domain of the address: 403 FORBIDDEN with `details.reason` `sso_required`, whatever the password is.',
        body: Type.Object({ email: Type.String({ ...email, minLength: 1 }), password: givenPassword('The password.') }),
        response: { 200: LoginData },
      },
    },
    async (request, reply) => {
      const input = { ...request.body, address: clientNetwork(request), client: sessionClientOf(request) }
      return runVerb(reply, 200, presentLogin, (transact) => logIn(parts, input, transact))
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
          refreshToken: Type.String({
            minLength: 1,
            maxLength: REFRESH_TOKEN_LENGTH_MAX,
            description: 'The latest refresh token.',
          }),
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
        summary: 'Sign out',
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
