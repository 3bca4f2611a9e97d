import Type from 'typebox'
import {
  acceptMemberInvitation,
  type IdentityParts,
  inviteMember,
  listMemberInvitations,
  type MemberInvitation,
  revokeMemberInvitation,
} from '../../../../identity/index.ts'
import {
  type App,
  ChangeRequested,
  clientNetwork,
  envelope,
  id,
  idParams,
  ok,
  optionalPageQuery,
  pageWindowOf,
  runVerb,
  totalCount,
  userCredentialOf,
} from '../../../http/index.ts'
import { byAdmins, byAdminsWithStepUp } from '../../access.ts'
import { Deleted, dateTime, presentDeleted, RoleName } from '../../schemas.ts'
import { mailToken, takeAddress } from '../shared/mail-schemas.ts'
import { newPassword } from '../shared/password-schemas.ts'
import { sessionClientOf } from '../shared/session-client.ts'
import { email, name, presentSession, Session, signsIn } from '../shared/session-schemas.ts'

const InvitationData = Type.Object(
  {
    id: id('Invitation id.'),
    email: Type.String({ description: 'The invited address, in lower case.' }),
    role: RoleName,
    invitedBy: id('User id of the member who sent it.'),
    createdAt: dateTime('When it was sent.'),
    expiresAt: dateTime('When it expires: after seven days.'),
  },
  {
    $id: 'MemberInvitation',
    description: 'An open invitation to join the organization. Its token is in the email only.',
  },
)

const presentInvitation = ({
  id: invitationId,
  email: to,
  role,
  invitedBy,
  createdAt,
  expiresAt,
}: MemberInvitation) => ({
  id: invitationId,
  email: to,
  role,
  invitedBy,
  createdAt: createdAt.toISOString(),
  expiresAt: expiresAt.toISOString(),
})

const tags = ['Members']

/** Invitations of members: `/api/core/invitations`. Invitations to register an organization are the operator's. */
export function invitationRoutes(app: App, parts: IdentityParts): void {
  app.post(
    '/api/core/invitations',
    {
      config: {
        ...byAdminsWithStepUp,
        idempotent: 'plain',
        change: { kind: 'members' },
        audit: { details: ['data.role'] },
      },
      schema: {
        tags,
        operationId: 'inviteMember',
        summary: 'Invite a member',
        description:
          'Sends the address a link to join the organization, valid for seven days. The invited person chooses their own password, so they can approve operations at once if their role allows. An open invitation of the same address ends. Only an owner can invite an owner (403). Your own address must be proved: 403 with the reason `email_not_verified`. The response does not show whether the address has an account in another organization. At most 50 invitations in a day and 100 open ones.',
        body: Type.Object({ email, role: RoleName }),
        response: { 201: envelope(InvitationData, 'The invitation.'), 202: ChangeRequested },
      },
    },
    async (request, reply) =>
      runVerb(
        reply,
        201,
        (invitation: MemberInvitation) => ok(presentInvitation(invitation)),
        (transact) => inviteMember(parts, userCredentialOf(request), request.body, transact),
      ),
  )

  app.get(
    '/api/core/invitations',
    {
      config: byAdmins,
      schema: {
        tags,
        operationId: 'listMemberInvitations',
        summary: 'List open invitations',
        description: 'Newest first; all by default, or `limit` at a time. `X-Total-Count` holds the total.',
        querystring: Type.Object({ ...optionalPageQuery }),
        response: { 200: envelope(Type.Array(InvitationData), 'The open invitations.') },
      },
    },
    async (request, reply) => {
      const { organizationId } = userCredentialOf(request)
      const { items, total } = await listMemberInvitations(parts, organizationId, pageWindowOf(request.query))
      totalCount(reply, total)
      return ok(items.map(presentInvitation))
    },
  )

  app.delete(
    '/api/core/invitations/:id',
    {
      config: byAdmins,
      schema: {
        tags,
        operationId: 'revokeMemberInvitation',
        summary: 'Revoke an invitation',
        description: 'Its link stops working at once. Only an owner can revoke the invitation of an owner (403).',
        params: idParams('Invitation id.'),
        response: { 200: envelope(Deleted, 'The invitation was revoked.') },
      },
    },
    async (request, reply) =>
      runVerb(reply, 200, presentDeleted, (transact) =>
        revokeMemberInvitation(parts, userCredentialOf(request), request.params.id, transact),
      ),
  )

  app.post(
    '/api/core/auth/invitations/accept',
    {
      config: {
        ...signsIn,
        forbidden: 'The link is not valid: it was used or revoked, has expired, or never existed.',
        audit: { object: 'member', id: 'data.user.id' },
      },
      schema: {
        tags,
        operationId: 'acceptMemberInvitation',
        summary: 'Accept an invitation',
        description:
          'Makes you a member of the organization with the invited role, and signs you in. An invitation whose sender was removed, or may no longer give the role, is not valid. Returns 409 CONFLICT if an account has the address: `details.reason` is `address_in_use`, or `address_unproved` if that account never proved it. 10 wrong tokens within 15 minutes from one network: 429 RATE_LIMIT_EXCEEDED.',
        body: Type.Object({
          token: mailToken,
          name: Type.Optional(name('Your display name.')),
          password: newPassword('Your new password'),
          takeAddress,
        }),
        response: { 201: envelope(Session, 'Joined and signed in.') },
      },
    },
    async (request, reply) => {
      const { takeAddress: takes = false, ...body } = request.body
      const origin = { address: clientNetwork(request), client: sessionClientOf(request) }
      return runVerb(reply, 201, presentSession, (transact) =>
        acceptMemberInvitation(parts, { ...body, takeAddress: takes, ...origin }, transact),
      )
    },
  )
}
