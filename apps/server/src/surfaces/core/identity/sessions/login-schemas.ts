import Type from 'typebox'
import type { LoginResult } from '../../../../identity/index.ts'
import { envelope, ok } from '../../../http/index.ts'
import { orNull } from '../../formats.ts'
import { factorNames, PasskeyRequestData } from '../shared/factor-schemas.ts'
import { presentSession, Session } from '../shared/session-schemas.ts'

const FactorChallengeData = Type.Object(
  {
    secondFactorRequired: Type.Literal(true, { description: 'Always true. There is no session yet.' }),
    challengeToken: Type.Union([Type.String(), Type.Null()], {
      description: 'Completes this sign-in once, with `POST /api/core/auth/second-factor`.',
    }),
    expiresIn: Type.Integer({ description: 'Seconds until it expires: five minutes.' }),
    factors: factorNames,
    passkey: orNull(PasskeyRequestData, 'Options for the browser; null without a passkey.'),
  },
  {
    $id: 'SecondFactorChallenge',
    description: 'You have a second factor, which is missing. In an idempotent replay the token is null.',
  },
)

/** The response of a sign-in: a session, or a challenge. */
export const LoginData = envelope(
  Type.Union([Session, FactorChallengeData], {
    description: 'A session, or for a user with a second factor a challenge.',
  }),
  'Signed in, or the second factor is missing.',
)

export const presentLogin = (result: LoginResult) =>
  'secondFactorRequired' in result ? ok({ ...result, factors: [...result.factors] }) : presentSession(result)
