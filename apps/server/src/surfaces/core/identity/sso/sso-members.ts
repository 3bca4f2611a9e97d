import Type from 'typebox'
import { admitMember, type Member, type SsoParts, unlinkMember } from '../../../../identity/index.ts'
import { EMAIL_LENGTH_MAX, NAME_LENGTH_MAX } from '../../../../kernel/index.ts'
import { type App, ChangeRequested, envelope, idParams, ok, runVerb, userCredentialOf } from '../../../http/index.ts'
import { byAdminsWithStepUp } from '../../access.ts'
import { EndedSessions, presentEnded, RoleName } from '../../schemas.ts'
import { MemberData, presentMember } from '../organization/members.ts'
import { takeAddress } from '../shared/mail-schemas.ts'

const tags = ['Single sign-on']

/** Members who sign in by single sign-on. */
export function ssoMemberRoutes(app: App, parts: SsoParts): void {
  app.post(
    '/api/core/sso/members',
    {
      config: {
        ...byAdminsWithStepUp,
        idempotent: 'plain',
        change: { kind: 'members' },
        audit: { object: 'member', details: ['data.role'] },
      },
      schema: {
        tags,
        operationId: 'admitMember',
        summary: 'Admit a member without a password',
        description:
          'The member signs in by single sign-on and has no password. This is also the way back for a member who was removed: they are not created again by signing in. If the provider has a role claim, the next sign-in replaces the role. Only an owner can admit an owner (403). Returns 409 CONFLICT if the email address is in use in any organization; with the reason `address_unproved` if `takeAddress` would take it over.',
        body: Type.Object({
          email: Type.String({
            minLength: 3,
            maxLength: EMAIL_LENGTH_MAX,
            description: 'Email address in a domain that an identity provider of the organization has.',
          }),
          name: Type.Optional(Type.String({ minLength: 1, maxLength: NAME_LENGTH_MAX, description: 'Display name.' })),
          role: RoleName,
          takeAddress,
        }),
        response: { 201: envelope(MemberData, 'The new member.'), 202: ChangeRequested },
      },
    },
    async (request, reply) => {
      const present = (member: Member) => ok(presentMember(member))
      return runVerb(reply, 201, present, (transact) =>
        admitMember(parts, userCredentialOf(request), request.body, transact),
      )
    },
  )

  app.delete(
    '/api/core/members/:id/sso-accounts',
    {
      config: {
        ...byAdminsWithStepUp,
        change: { kind: 'members', concerns: { param: 'id' } },
        audit: { object: 'member', details: ['data.ended'] },
      },
      schema: {
        tags,
        operationId: 'unlinkMember',
        summary: "Unlink a member's accounts",
        description:
          'Forgets the accounts at identity providers that the member signs in with, and ends their sessions, except the one that sends this request. For a person whose account was created again: the next sign-in links the account that has their verified email address then. The member gets an email. Only an owner can do this to an owner or another admin (403).',
        params: idParams('User id.'),
        response: {
          200: envelope(EndedSessions, 'The accounts are unlinked, and the sessions have ended.'),
          202: ChangeRequested,
        },
      },
    },
    async (request, reply) =>
      runVerb(reply, 200, presentEnded, (transact) =>
        unlinkMember(parts, userCredentialOf(request), request.params.id, transact),
      ),
  )
}
