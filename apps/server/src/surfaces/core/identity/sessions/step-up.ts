import Type from 'typebox'
import {
  beginStepUp,
  type IdentityParts,
  type PresentedFactor,
  type SteppedUpSession,
  stepUp,
} from '../../../../identity/index.ts'
import { type App, clientNetwork, envelope, ok, runVerb, userCredentialOf } from '../../../http/index.ts'
import { byEveryone } from '../../access.ts'
import { dateTime } from '../../schemas.ts'
import { PasskeyRequestData, presentedFactor, presentRequest } from '../shared/factor-schemas.ts'
import { withNewCookie } from '../shared/new-cookie.ts'

const SteppedUp = Type.Object(
  {
    verifiedUntil: dateTime(
      'When this session must verify a second factor again to call the routes that need a step-up.',
    ),
  },
  { $id: 'SteppedUp', description: 'The second factor was verified on this session.' },
)

const tags = ['Second factors']
const config = { ...byEveryone, limit: 'auth' } as const

/** Verifying a second factor again on an open session: `/api/core/auth/step-up`. */
export function stepUpRoutes(app: App, parts: IdentityParts): void {
  app.post(
    '/api/core/auth/step-up/options',
    {
      config: { ...config, audit: false },
      schema: {
        tags,
        operationId: 'beginStepUp',
        summary: 'Start a step-up by passkey',
        description:
          'Returns the options for the browser. Their challenge is valid for one step-up of this session, for five minutes. Returns 409 CONFLICT without a passkey. Codes need no options.',
        response: { 200: envelope(PasskeyRequestData, 'The options.') },
      },
    },
    async (request, reply) =>
      runVerb(reply, 200, presentRequest, (transact) => beginStepUp(parts, userCredentialOf(request), transact)),
  )

  app.post(
    '/api/core/auth/step-up',
    {
      config: { ...config, replacesCookie: true, audit: { object: 'member', id: 'credential.userId' } },
      schema: {
        tags,
        operationId: 'stepUp',
        summary: 'Verify your second factor',
        description:
          'Opens the routes that need a step-up to this session for 15 minutes; the operator can change this. A browser gets another cookie. Send exactly one factor. A wrong one returns 403 FORBIDDEN with `details.reason: "factor_invalid"` and counts like a failed sign-in; after too many, 429 RATE_LIMIT_EXCEEDED. Returns 409 CONFLICT without a second factor.',
        body: Type.Object(presentedFactor),
        response: { 200: envelope(SteppedUp, 'The second factor was verified.') },
      },
    },
    async (request, reply) => {
      const input = { factor: factorIn(request.body), address: clientNetwork(request) }
      const present = ({ until }: SteppedUpSession) => ok({ verifiedUntil: until.toISOString() })
      const verb = withNewCookie<SteppedUpSession>(request, (transact) =>
        stepUp(parts, userCredentialOf(request), input, transact),
      )
      return runVerb(reply, 200, present, verb)
    },
  )
}

/** The factor of a checked body, in the form that the library reads. */
export function factorIn({ totp, recoveryCode, passkey }: FactorBody): PresentedFactor {
  return {
    ...(totp === undefined ? {} : { totp }),
    ...(recoveryCode === undefined ? {} : { recoveryCode }),
    ...(passkey === undefined ? {} : { passkey: assertionIn(passkey) }),
  }
}

/** Extensions are not read, and browsers omit a handle or send null. */
export function assertionIn(passkey: AssertionBody): NonNullable<PresentedFactor['passkey']> {
  const { clientDataJSON, authenticatorData, signature } = passkey.response
  return {
    id: passkey.id,
    rawId: passkey.rawId,
    type: 'public-key',
    clientExtensionResults: {},
    response: { clientDataJSON, authenticatorData, signature },
  }
}

interface AssertionBody {
  readonly id: string
  readonly rawId: string
  readonly response: {
    readonly clientDataJSON: string
    readonly authenticatorData: string
    readonly signature: string
  }
}

interface FactorBody {
  readonly totp?: string
  readonly recoveryCode?: string
  readonly passkey?: AssertionBody
}
