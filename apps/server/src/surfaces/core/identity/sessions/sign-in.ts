import Type from 'typebox'
import { beginPasskeySignIn, completeLogIn, type IdentityParts, signInWithPasskey } from '../../../../identity/index.ts'
import { TOKEN_LENGTH_MAX } from '../../../../kernel/index.ts'
import { type App, clientNetwork, envelope, runVerb } from '../../../http/index.ts'
import { PasskeyAssertionBody, PasskeyRequestData, presentedFactor, presentRequest } from '../shared/factor-schemas.ts'
import { sessionClientOf } from '../shared/session-client.ts'
import { presentSession, Session, signsIn } from '../shared/session-schemas.ts'
import { assertionIn, factorIn } from './step-up.ts'

const tags = ['Authentication']
const audit = { object: 'member', id: 'data.user.id' } as const

/** The second step of a sign-in, and a sign-in by passkey alone. */
export function signInRoutes(app: App, parts: IdentityParts): void {
  app.post(
    '/api/core/auth/second-factor',
    {
      config: { ...signsIn, audit },
      schema: {
        tags,
        operationId: 'completeLogIn',
        summary: 'Complete a sign-in with a second factor',
        description:
          'Takes the `challengeToken` of the sign-in and exactly one factor. A passkey signs the `challenge` of its `passkey`; its response consumes the challenge even if it is wrong. Returns 401 UNAUTHORIZED with `details.reason: "factor_invalid"` for a wrong or used factor, which counts like a wrong password: after too many, 429 RATE_LIMIT_EXCEEDED; and `"challenge_expired"` if the sign-in is older than five minutes or completed.',
        body: Type.Object({
          challengeToken: Type.String({
            minLength: 1,
            maxLength: TOKEN_LENGTH_MAX,
            description: 'From the response of the sign-in.',
          }),
          ...presentedFactor,
        }),
        response: { 200: envelope(Session, 'Signed in.') },
      },
    },
    async (request, reply) => {
      const input = {
        challengeToken: request.body.challengeToken,
        factor: factorIn(request.body),
        address: clientNetwork(request),
        client: sessionClientOf(request),
      }
      return runVerb(reply, 200, presentSession, (transact) => completeLogIn(parts, input, transact))
    },
  )

  app.post(
    '/api/core/auth/passkey/options',
    {
      config: { access: 'auth', limit: 'auth', audit: false },
      schema: {
        tags,
        operationId: 'beginPasskeySignIn',
        summary: 'Start a sign-in by passkey',
        description: 'Returns the options for the browser. Their challenge is valid for one use, for five minutes.',
        response: { 200: envelope(PasskeyRequestData, 'The options.') },
      },
    },
    async (_request, reply) => runVerb(reply, 200, presentRequest, (transact) => beginPasskeySignIn(parts, transact)),
  )

  app.post(
    '/api/core/auth/passkey',
    {
      config: { ...signsIn, audit },
      schema: {
        tags,
        operationId: 'signInWithPasskey',
        summary: 'Sign in with a passkey',
        description:
          'Without email and password: the passkey names its user and verifies them. The session counts as stepped up. Returns 401 UNAUTHORIZED for an unknown passkey and a response that is wrong in any way.',
        body: Type.Object({ passkey: PasskeyAssertionBody }),
        response: { 200: envelope(Session, 'Signed in.') },
      },
    },
    async (request, reply) => {
      const input = { passkey: assertionIn(request.body.passkey), client: sessionClientOf(request) }
      return runVerb(reply, 200, presentSession, (transact) => signInWithPasskey(parts, input, transact))
    },
  )
}
