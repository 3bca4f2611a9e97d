import Type from 'typebox'
import type { Account, SessionWithTokens } from '../../../../identity/index.ts'
import { EMAIL_LENGTH_MAX, NAME_LENGTH_MAX } from '../../../../kernel/index.ts'
import { id, ok } from '../../../http/index.ts'
import { RoleName } from '../../schemas.ts'

/** The address of an account, as a caller writes it. */
export const email = Type.String({
  minLength: 3,
  maxLength: EMAIL_LENGTH_MAX,
  description: 'Email address, case-insensitive.',
})
/** A name; `of` describes whose. */
export const name = (of: string) => Type.String({ minLength: 1, maxLength: NAME_LENGTH_MAX, description: of })

const SignedInUser = Type.Object(
  {
    id: id('User id.'),
    email: Type.String({ description: 'Email address, in lower case.' }),
    name: Type.Union([Type.String(), Type.Null()], { description: 'Display name; null if not set.' }),
    role: RoleName,
  },
  { $id: 'SignedInUser', description: 'The signed-in user.' },
)
const Organization = Type.Object(
  { id: id('Organization id.'), name: Type.String({ description: 'Organization name.' }) },
  { $id: 'Organization', description: 'The organization of the user.' },
)
/** Whom a session belongs to. */
export const account = { user: SignedInUser, organization: Organization }
export const AccountData = Type.Object(account, { $id: 'Account', description: 'A user and their organization.' })

export const Session = Type.Object(
  {
    accessToken: Type.Union([Type.String(), Type.Null()], { description: 'JWT for `Authorization: Bearer`.' }),
    tokenType: Type.Literal('Bearer', { description: 'Always Bearer.' }),
    expiresIn: Type.Integer({ description: 'Lifetime of the access token in seconds: one hour.' }),
    refreshToken: Type.Union([Type.String(), Type.Null()], {
      description:
        'Valid for one refresh, until the session has not been used for 30 days or is 90 days old; the operator can configure both. Using it a second time ends the session.',
    }),
    ...account,
    passwordChangeRequired: Type.Optional(
      Type.Literal(true, {
        description:
          'Present if somebody else set your password. Every request except setting your own (`POST /api/core/auth/password`) and signing out then returns 403 FORBIDDEN.',
      }),
    ),
  },
  { $id: 'Session', description: 'An open session. In an idempotent replay both tokens are null.' },
)

/** Presents a session on the core surface (contract 3). */
export function presentSession({
  accessToken,
  expiresIn,
  refreshToken,
  user,
  organization,
  ...flags
}: SessionWithTokens) {
  return ok({ accessToken, tokenType: 'Bearer' as const, expiresIn, refreshToken, user, organization, ...flags })
}

export const presentAccount = ({ user, organization }: Account) => ok({ user, organization })

/** The config of a route whose response opens a session. */
export const signsIn = {
  access: 'auth',
  limit: 'auth',
  idempotent: 'secret',
  secretFields: ['data.accessToken', 'data.refreshToken', 'data.challengeToken'],
} as const
