import Type from 'typebox'
import {
  changeEmail,
  confirmVerification,
  type IdentityParts,
  requestVerification,
} from '../../../../identity/index.ts'
import { type App, clientNetwork, envelope, ok, runVerb, userCredentialOf } from '../../../http/index.ts'
import { byEveryone } from '../../access.ts'
import { MailSent, mailToken, presentMailSent, takeAddress } from '../shared/mail-schemas.ts'
import { givenPassword } from '../shared/password-schemas.ts'
import { AccountData, email, presentAccount } from '../shared/session-schemas.ts'

const tags = ['Authentication']

const VerificationRequested = Type.Object(
  {
    verified: Type.Boolean({ description: 'Whether the address is proved already. If so, no email is sent.' }),
  },
  { $id: 'VerificationRequested', description: 'The state of your address.' },
)

/** The user's own email address: `/api/core/auth/email-verification` and `/api/core/auth/email`. */
export function emailRoutes(app: App, parts: IdentityParts): void {
  app.post(
    '/api/core/auth/email-verification',
    {
      config: { ...byEveryone, limit: 'auth.mail', audit: { object: 'member', id: 'credential.userId' } },
      schema: {
        tags,
        operationId: 'requestEmailVerification',
        summary: 'Verify your email address',
        description:
          'Sends your address a link that proves it, even if one was sent before. Your organization sends an address at most 5 such emails in an hour and 20 in a day: then 429 RATE_LIMIT_EXCEEDED. Returns 403 with the reason `mail_unavailable` if the service has no mail server.',
        response: { 200: envelope(VerificationRequested, 'An email is sent, or the address is proved.') },
      },
    },
    async (request, reply) =>
      runVerb(
        reply,
        200,
        (isSent: boolean) => ok({ verified: !isSent }),
        (transact) => requestVerification(parts, userCredentialOf(request), transact),
      ),
  )

  app.post(
    '/api/core/auth/email',
    {
      config: { ...byEveryone, limit: 'auth.mail', audit: { object: 'member', id: 'credential.userId' } },
      schema: {
        tags,
        operationId: 'changeEmail',
        summary: 'Change your email address',
        description:
          'Sends a link to the new address. Your address changes when you confirm it (`POST /api/core/auth/email-verification/confirm`), and the old one is notified. A wrong password returns 400 VALIDATION_ERROR at `currentPassword` and counts like a failed sign-in. The response does not show whether another account has the address.',
        body: Type.Object({ email, currentPassword: givenPassword('Your current password.') }),
        response: { 202: envelope(MailSent, 'An email is sent to the new address.') },
      },
    },
    async (request, reply) => {
      const input = { ...request.body, address: clientNetwork(request) }
      return runVerb(reply, 202, presentMailSent, (transact) =>
        changeEmail(parts, userCredentialOf(request), input, transact),
      )
    },
  )

  app.post(
    '/api/core/auth/email-verification/confirm',
    {
      config: {
        access: 'auth',
        limit: 'auth',
        forbidden: 'The link is not valid: it was used, has expired, or never existed.',
        audit: { object: 'member', id: 'data.user.id' },
      },
      schema: {
        tags,
        operationId: 'confirmEmailVerification',
        summary: 'Confirm an email address',
        description:
          'Proves that the address is yours, and makes it the address of your account if it is a new one. Needs the token from the email and the password of the account; a wrong password returns 401 and counts like a failed sign-in. Returns 409 CONFLICT if another account has the address: `details.reason` is `address_in_use`, or `address_unproved` if that account never proved it.',
        body: Type.Object({ token: mailToken, password: givenPassword('The password of the account.'), takeAddress }),
        response: { 200: envelope(AccountData, 'The address is proved.') },
      },
    },
    async (request, reply) => {
      const { token, password, takeAddress: takes = false } = request.body
      const input = { token, password, takeAddress: takes, address: clientNetwork(request) }
      return runVerb(reply, 200, presentAccount, (transact) => confirmVerification(parts, input, transact))
    },
  )
}
