import Type from 'typebox'
import {
  addMember,
  endMemberSessions,
  type IdentityParts,
  listMembers,
  type Member,
  removeMember,
  resetMemberFactors,
  updateMember,
} from '../../../../identity/index.ts'
import { EMAIL_LENGTH_MAX, NAME_LENGTH_MAX } from '../../../../kernel/index.ts'
import {
  type App,
  ChangeRequested,
  enumQuery,
  envelope,
  id,
  idParams,
  ok,
  optionalPageQuery,
  pageWindowOf,
  runVerb,
  searchText,
  totalCount,
  userCredentialOf,
} from '../../../http/index.ts'
import { byAdmins, byAdminsWithStepUp, byEveryone } from '../../access.ts'
import { optionalEnumValueOf } from '../../formats.ts'
import { Deleted, dateTime, EndedSessions, presentDeleted, presentEnded, ROLES, RoleName } from '../../schemas.ts'
import { newPassword } from '../shared/password-schemas.ts'

export const MemberData = Type.Object(
  {
    id: id('User id.'),
    email: Type.String({ description: 'Email address, in lower case.' }),
    name: Type.Union([Type.String(), Type.Null()], { description: 'Display name; null if not set.' }),
    role: RoleName,
    createdAt: dateTime('When the member was added.'),
    emailVerified: Type.Boolean({ description: 'Whether the member proved, by an email, that the address is theirs.' }),
  },
  { $id: 'Member', description: 'A user of the organization.' },
)

const password = newPassword('A password')
const name = Type.String({ minLength: 1, maxLength: NAME_LENGTH_MAX, description: 'Display name.' })

export const presentMember = ({ id: memberId, email, name: memberName, role, createdAt, emailVerified }: Member) => ({
  id: memberId,
  email,
  name: memberName,
  role,
  createdAt: createdAt.toISOString(),
  emailVerified,
})

/** A new role, or a password that another member sets. Names need no approval; a member's own password is refused. */
function changesAccess(request: Parameters<typeof userCredentialOf>[0]): boolean {
  const { role, password: secret } = request.body as { role?: string; password?: string }
  const { id: memberId } = request.params as { id: number }
  return role !== undefined || (secret !== undefined && memberId !== userCredentialOf(request).userId)
}

const aboutMember = { kind: 'members', concerns: { param: 'id' } } as const
const tags = ['Members']

/** The organization's members: `/api/core/members` (contract 3). */
export function memberRoutes(app: App, parts: IdentityParts): void {
  app.get(
    '/api/core/members',
    {
      config: byEveryone,
      schema: {
        tags,
        operationId: 'listMembers',
        summary: 'List members',
        description:
          'Newest first; all by default, or `limit` at a time. `X-Total-Count` holds the total that matches.',
        querystring: Type.Object({
          q: searchText(
            'Only members whose email address, or a word of whose name, begins with this text, case-insensitive.',
          ),
          role: Type.Optional(enumQuery(ROLES, 'Only members with this role, case-insensitive.')),
          ...optionalPageQuery,
        }),
        response: { 200: envelope(Type.Array(MemberData), 'The members.') },
      },
    },
    async (request, reply) => {
      const { organizationId } = userCredentialOf(request)
      const { q: text, role } = request.query
      const filter = { text, role: optionalEnumValueOf('role', role, ROLES) }
      const { items, total } = await listMembers(parts, organizationId, pageWindowOf(request.query), filter)
      totalCount(reply, total)
      return ok(items.map(presentMember))
    },
  )

  app.post(
    '/api/core/members',
    {
      config: {
        ...byAdminsWithStepUp,
        idempotent: 'plain',
        change: { kind: 'members', secrets: ['password'] },
        audit: { details: ['data.role'] },
      },
      schema: {
        tags,
        operationId: 'addMember',
        summary: 'Add a member',
        description:
          'The member signs in with this email address and password. If the operator requires own passwords (`ASSIGNED_PASSWORDS`), the password works for a week and only to set another one, and the member cannot approve operations for 24 hours. Only an owner can add an owner (403). Returns 409 CONFLICT if the email address is in use in any organization. Where addresses must be proved (`EMAIL_VERIFICATION=required`), members are invited instead: 403 with the reason `invitation_required`. If its domain requires single sign-on: 403 with the reason `sso_required`; use `POST /api/core/sso/members`.',
        body: Type.Object({
          email: Type.String({
            minLength: 3,
            maxLength: EMAIL_LENGTH_MAX,
            description: 'Email address, case-insensitive.',
          }),
          name: Type.Optional(name),
          role: RoleName,
          password,
        }),
        response: { 201: envelope(MemberData, 'The new member.'), 202: ChangeRequested },
      },
    },
    async (request, reply) => {
      const present = (member: Member) => ok(presentMember(member))
      return runVerb(reply, 201, present, (transact) =>
        addMember(parts, userCredentialOf(request), request.body, transact),
      )
    },
  )

  app.patch(
    '/api/core/members/:id',
    {
      config: {
        ...byAdminsWithStepUp,
        change: {
          kind: 'members',
          applies: changesAccess,
          secrets: ['password'],
          concerns: { param: 'id', role: 'role' },
        },
        audit: { details: ['data.role'] },
      },
      schema: {
        tags,
        operationId: 'changeMember',
        summary: 'Change a member',
        description:
          'A new role applies from the next request. A new password is for another member, ends all their sessions and, as for a new member, may have to be replaced first; you change your own at `POST /api/core/auth/password`, with the current one (403 here). Only an owner can set the password of another admin (403). Members who must sign in by single sign-on get no password (403, `details.reason` `sso_required`). Only an owner can change an owner or make someone an owner (403). The last owner cannot be changed to another role (409 CONFLICT).',
        params: idParams('User id.'),
        body: Type.Object({
          name: Type.Optional(Type.Union([name, Type.Null()], { description: 'Display name; null clears it.' })),
          role: Type.Optional(RoleName),
          password: Type.Optional(password),
        }),
        response: { 200: envelope(MemberData, 'The updated member.'), 202: ChangeRequested },
      },
    },
    async (request, reply) => {
      const present = (member: Member) => ok(presentMember(member))
      const { params, body } = request
      return runVerb(reply, 200, present, (transact) =>
        updateMember(parts, { actor: userCredentialOf(request), memberId: params.id, changes: body }, transact),
      )
    },
  )

  app.delete(
    '/api/core/members/:id',
    {
      config: { ...byAdminsWithStepUp, change: aboutMember },
      schema: {
        tags,
        operationId: 'removeMember',
        summary: 'Remove a member',
        description:
          'Ends all sessions of the member at once, and cancels the changes that they requested. API keys belong to the organization and stay active. Only an owner can remove an owner (403). The last owner cannot be removed (409 CONFLICT).',
        params: idParams('User id.'),
        response: { 200: envelope(Deleted, 'The member was removed.'), 202: ChangeRequested },
      },
    },
    async (request, reply) => {
      return runVerb(reply, 200, presentDeleted, (transact) =>
        removeMember(parts, userCredentialOf(request), request.params.id, transact),
      )
    },
  )

  app.delete(
    '/api/core/members/:id/sessions',
    {
      config: { ...byAdmins, audit: { details: ['data.ended'] } },
      schema: {
        tags,
        operationId: 'endMemberSessions',
        summary: "End a member's sessions",
        description:
          'Ends all sessions of the member, except the one that sends this request. Their tokens stop working at once. Only an owner can end the sessions of an owner (403).',
        params: idParams('User id.'),
        response: { 200: envelope(EndedSessions, 'The sessions have ended.') },
      },
    },
    async (request, reply) =>
      runVerb(reply, 200, presentEnded, (transact) =>
        endMemberSessions(parts, userCredentialOf(request), request.params.id, transact),
      ),
  )

  app.delete(
    '/api/core/members/:id/factors',
    {
      config: { ...byAdminsWithStepUp, change: aboutMember, audit: { details: ['data.ended'] } },
      schema: {
        tags,
        operationId: 'resetMemberFactors',
        summary: "Remove a member's second factors",
        description:
          'For a member who lost them. All their sessions end, and they approve no operation for 24 hours, because a member who removes factors could also have set the password. The member gets an email. Only an owner can do this to an owner or an admin (403), and nobody to themselves (403).',
        params: idParams('User id.'),
        response: {
          200: envelope(EndedSessions, 'The factors were removed, and the sessions have ended.'),
          202: ChangeRequested,
        },
      },
    },
    async (request, reply) =>
      runVerb(reply, 200, presentEnded, (transact) =>
        resetMemberFactors(parts, userCredentialOf(request), request.params.id, transact),
      ),
  )
}
