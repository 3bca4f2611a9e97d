import Type from 'typebox'
import {
  confirmPasswordReset,
  type IdentityParts,
  type PasswordReset,
  requestPasswordReset,
} from '../../../../identity/index.ts'
import { type App, clientNetwork, envelope, ok, runVerb } from '../../../http/index.ts'
import { EndedSessions } from '../../schemas.ts'
import { MailSent, mailToken, presentMailSent } from '../shared/mail-schemas.ts'
import { newPassword } from '../shared/password-schemas.ts'
import { AccountData, email } from '../shared/session-schemas.ts'

const tags = ['Authentication']

const ResetAccount = Type.Object(
  { ...AccountData.properties, ...EndedSessions.properties },
  { $id: 'ResetAccount', description: 'A user whose password was reset, and how many sessions ended.' },
)

/** Passwords reset by mail: `/api/core/auth/password-reset`. */
export function passwordResetRoutes(app: App, parts: IdentityParts): void {
  app.post(
    '/api/core/auth/password-reset',
    {
      config: { access: 'auth', limit: 'auth.mail', forbidden: 'The service has no mail server.' },
      schema: {
        tags,
        operationId: 'requestPasswordReset',
        summary: 'Request a password reset',
        description:
          'Sends an email with a link to the address if it has an account. The response is the same, after the same time, if it has none. The link works once and for an hour. An address gets at most 5 such emails in an hour and 20 in a day, then one in each hour; further requests send none. Returns 403 with the reason `mail_unavailable` if the service has no mail server.',
        body: Type.Object({ email: Type.String({ ...email, minLength: 1 }) }),
        response: { 202: envelope(MailSent, 'An email is sent if the address has an account.') },
      },
    },
    async (request, reply) =>
      runVerb(reply, 202, presentMailSent, (transact) => requestPasswordReset(parts, request.body.email, transact)),
  )

  app.post(
    '/api/core/auth/password-reset/confirm',
    {
      config: {
        access: 'auth',
        limit: 'auth',
        forbidden: 'The link is not valid: it was used, has expired, or never existed.',
        audit: { object: 'member', id: 'data.user.id', details: ['data.ended'] },
      },
      schema: {
        tags,
        operationId: 'confirmPasswordReset',
        summary: 'Reset a password',
        description:
          'Sets the password of the account that the email was sent for, and ends all its sessions. You sign in with it afterwards, and can approve operations 24 hours later. 10 wrong tokens within 15 minutes from one network: 429 RATE_LIMIT_EXCEEDED.',
        body: Type.Object({ token: mailToken, newPassword: newPassword('Your new password') }),
        response: { 200: envelope(ResetAccount, 'The password was set, and all sessions have ended.') },
      },
    },
    async (request, reply) => {
      const input = { ...request.body, address: clientNetwork(request) }
      const present = ({ user, organization, ended }: PasswordReset) => ok({ user, organization, ended })
      return runVerb(reply, 200, present, (transact) => confirmPasswordReset(parts, input, transact))
    },
  )
}
