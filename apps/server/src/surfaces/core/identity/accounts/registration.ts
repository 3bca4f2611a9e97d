import Type from 'typebox'
import {
  confirmRegistration,
  emailVerificationOf,
  type IdentityParts,
  type RegistrationMode,
  register,
  requestRegistration,
} from '../../../../identity/index.ts'
import { Failure, TOKEN_LENGTH_MAX } from '../../../../kernel/index.ts'
import { type App, clientNetwork, envelope, runVerb } from '../../../http/index.ts'
import { MailSent, mailToken, presentMailSent, takeAddress } from '../shared/mail-schemas.ts'
import { givenPassword, newPassword } from '../shared/password-schemas.ts'
import { sessionClientOf } from '../shared/session-client.ts'
import { email, name, presentSession, Session, signsIn } from '../shared/session-schemas.ts'

const tags = ['Authentication']

/** Registration of an organization: `/api/core/auth/register` (contract 3). */
export function registrationRoutes(app: App, parts: IdentityParts, registration: RegistrationMode): void {
  app.post(
    '/api/core/auth/register',
    {
      config: {
        ...signsIn,
        forbidden: 'Registration is closed, requires a valid invitation, or the email domain requires single sign-on.',
        audit: { object: 'organization', id: 'data.organization.id' },
      },
      schema: {
        tags,
        operationId: 'register',
        summary: 'Register an organization',
        description:
          'Creates an organization with you as its owner and a wallet profile named `default`, and signs you in. Returns 409 CONFLICT if the email address is in use. The operator of the service may close registration, or require an invitation: 403 FORBIDDEN. So does an organization that requires single sign-on for the domain of the address (`details.reason` `sso_required`). Where addresses must be proved (`EMAIL_VERIFICATION=required`), it creates nothing yet: it returns 202 and sends an email, whether or not the address has an account.',
        body: Type.Object({
          email,
          password: newPassword('The new password'),
          name: Type.Optional(name('Your display name.')),
          organizationName: name('Name of the organization.'),
          invitation: Type.Optional(
            Type.String({
              minLength: 1,
              maxLength: TOKEN_LENGTH_MAX,
              description: 'The invitation that the operator gave you, where registration requires one.',
            }),
          ),
        }),
        response: {
          201: envelope(Session, 'Registered and signed in.'),
          202: envelope(MailSent, 'The address must be proved by the link in an email.'),
        },
      },
    },
    async (request, reply) => {
      requireOpenRegistration(registration, request.body.invitation)
      if (emailVerificationOf(parts) === 'required') {
        // There is no organization yet whose audit log could record it.
        request.audit = undefined
        const input = { ...request.body, network: clientNetwork(request) }
        return runVerb(reply, 202, presentMailSent, (transact) => requestRegistration(parts, input, transact))
      }
      return runVerb(reply, 201, presentSession, (transact) =>
        register(parts, { ...request.body, client: sessionClientOf(request) }, transact),
      )
    },
  )

  app.post(
    '/api/core/auth/register/confirm',
    {
      config: {
        ...signsIn,
        forbidden: 'The link or the invitation is not valid, or registration is closed.',
        audit: { object: 'organization', id: 'data.organization.id' },
      },
      schema: {
        tags,
        operationId: 'confirmRegistration',
        summary: 'Confirm a registration',
        description:
          'Creates the organization that was registered with this address, and signs you in. Needs the token from the email and the password of the registration. Returns 409 CONFLICT if an account has the address: `details.reason` is `address_in_use`, or `address_unproved` if that account never proved it.',
        body: Type.Object({
          token: mailToken,
          password: givenPassword('The password of the registration.'),
          takeAddress,
        }),
        response: { 201: envelope(Session, 'Registered and signed in.') },
      },
    },
    async (request, reply) => {
      if (registration === 'closed') refuseClosedRegistration()
      const { token, password, takeAddress: takes = false } = request.body
      const input = {
        token,
        password,
        takeAddress: takes,
        address: clientNetwork(request),
        client: sessionClientOf(request),
      }
      return runVerb(reply, 201, presentSession, (transact) =>
        confirmRegistration(parts, registration, input, transact),
      )
    },
  )
}

/** FORBIDDEN where nobody, or only the holder of an invitation, may register. */
function requireOpenRegistration(mode: RegistrationMode, invitation: string | undefined): void {
  if (mode === 'closed') refuseClosedRegistration()
  if (mode === 'invite' && invitation === undefined) {
    throw new Failure('FORBIDDEN', { message: 'Registration on this service requires an invitation.' })
  }
}

function refuseClosedRegistration(): never {
  throw new Failure('FORBIDDEN', { message: 'Registration is closed on this service. Ask its operator.' })
}
