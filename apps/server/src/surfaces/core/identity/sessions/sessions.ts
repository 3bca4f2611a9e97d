import Type from 'typebox'
import {
  type ChangedPassword,
  changePassword,
  endOtherSessions,
  endSession,
  type IdentityParts,
  listSessions,
  type OpenSession,
} from '../../../../identity/index.ts'
import {
  type App,
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
import { beforePasswordChange, byEveryone } from '../../access.ts'
import { orNull } from '../../formats.ts'
import { Deleted, dateTime, EndedSessions, presentDeleted, presentEnded } from '../../schemas.ts'
import { withNewCookie } from '../shared/new-cookie.ts'
import { givenPassword, newPassword } from '../shared/password-schemas.ts'

const OpenSessionData = Type.Object(
  {
    id: id('Session id.'),
    createdAt: dateTime('When the user signed in.'),
    lastUsedAt: dateTime(
      'When the user signed in or last refreshed the session; requests in between are not recorded.',
    ),
    address: orNull(
      Type.String(),
      'The network address of the sign-in or the last refresh; null if the session is older than this field.',
    ),
    userAgent: orNull(
      Type.String(),
      'The user agent of the sign-in or the last refresh, shortened; null if there is none.',
    ),
    current: Type.Boolean({ description: 'Whether it is the session of this request.' }),
  },
  { $id: 'OpenSession', description: 'A session that has not ended.' },
)

const presentOpenSession = ({ id: sessionId, createdAt, lastUsedAt, address, userAgent, isCurrent }: OpenSession) => ({
  id: sessionId,
  createdAt: createdAt.toISOString(),
  lastUsedAt: lastUsedAt.toISOString(),
  address,
  userAgent,
  current: isCurrent,
})

const tags = ['Authentication']

/** The user's own sessions and password: `/api/core/auth/sessions` and `/api/core/auth/password`. */
export function sessionRoutes(app: App, parts: IdentityParts): void {
  app.get(
    '/api/core/auth/sessions',
    {
      config: byEveryone,
      schema: {
        tags,
        operationId: 'listSessions',
        summary: 'List your sessions',
        description:
          'Your own sessions that have not ended, newest first; all by default, or `limit` at a time. `X-Total-Count` holds the total.',
        querystring: Type.Object({ ...optionalPageQuery }),
        response: { 200: envelope(Type.Array(OpenSessionData), 'Your sessions.') },
      },
    },
    async (request, reply) => {
      const { items, total } = await listSessions(parts, userCredentialOf(request), pageWindowOf(request.query))
      totalCount(reply, total)
      return ok(items.map(presentOpenSession))
    },
  )

  app.delete(
    '/api/core/auth/sessions',
    {
      config: { ...byEveryone, audit: { object: 'member', id: 'credential.userId', details: ['data.ended'] } },
      schema: {
        tags,
        operationId: 'endOtherSessions',
        summary: 'End your other sessions',
        description: 'Ends all your sessions except the current one. Their tokens stop working at once.',
        response: { 200: envelope(EndedSessions, 'The sessions have ended.') },
      },
    },
    async (request, reply) =>
      runVerb(reply, 200, presentEnded, (transact) => endOtherSessions(parts, userCredentialOf(request), transact)),
  )

  app.delete(
    '/api/core/auth/sessions/:id',
    {
      config: { ...byEveryone, audit: { object: 'session' } },
      schema: {
        tags,
        operationId: 'endSession',
        summary: 'End one of your sessions',
        description:
          'Its tokens stop working at once. Returns 404 NOT_FOUND if the session has ended or belongs to someone else.',
        params: idParams('Session id.'),
        response: { 200: envelope(Deleted, 'The session has ended.') },
      },
    },
    async (request, reply) =>
      runVerb(reply, 200, presentDeleted, (transact) =>
        endSession(parts, userCredentialOf(request), request.params.id, transact),
      ),
  )

  app.post(
    '/api/core/auth/password',
    {
      config: {
        ...beforePasswordChange,
        limit: 'auth',
        replacesCookie: true,
        audit: { object: 'member', id: 'credential.userId', details: ['data.ended'] },
      },
      schema: {
        tags,
        operationId: 'changePassword',
        summary: 'Change your password',
        description:
          'Ends all your sessions except the current one, whose browser gets another cookie. A wrong current password returns 400 VALIDATION_ERROR at `currentPassword` and counts like a failed sign-in: after too many failures, 429 RATE_LIMIT_EXCEEDED. The new password must differ from the current one. Returns 403 FORBIDDEN with `details.reason` `sso_required` if you must sign in by single sign-on.',
        body: Type.Object({
          currentPassword: givenPassword('Your current password.'),
          newPassword: newPassword('Your new password'),
        }),
        response: { 200: envelope(EndedSessions, 'The password was changed, and your other sessions have ended.') },
      },
    },
    async (request, reply) => {
      const input = { ...request.body, address: clientNetwork(request) }
      const verb = withNewCookie<ChangedPassword>(request, (transact) =>
        changePassword(parts, userCredentialOf(request), input, transact),
      )
      return runVerb(reply, 200, ({ ended }) => presentEnded(ended), verb)
    },
  )
}
