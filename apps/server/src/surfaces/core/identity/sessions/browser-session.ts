import Type from 'typebox'
import { getAccount, type IdentityParts } from '../../../../identity/index.ts'
import {
  type App,
  asksForCookie,
  CSRF_HEADER,
  csrfTokenOf,
  envelope,
  ok,
  type SessionCookie,
  userCredentialOf,
} from '../../../http/index.ts'
import { beforePasswordChange } from '../../access.ts'
import { orNull } from '../../formats.ts'
import { factorNames } from '../shared/factor-schemas.ts'
import { account } from '../shared/session-schemas.ts'

/**
 * Moves the tokens of every sign-in that asks for it from the response into a cookie, replaces the cookie where the user
 * proved more, and clears it at the end of the session. Call it before the routes are registered.
 */
export function keepSessionsInCookies(app: App, cookie: SessionCookie): void {
  app.addHook('onRoute', (route) => {
    if (route.config?.secretFields?.includes('data.refreshToken')) {
      route.onRequest = [
        async (request) => {
          if (asksForCookie(request)) cookie.requireSameOrigin(request)
        },
      ]
      route.preSerialization = async (request, reply, payload) => {
        const body = payload as { readonly data?: { readonly refreshToken?: string | null } }
        const token = body.data?.refreshToken
        if (!asksForCookie(request) || typeof token !== 'string') return body
        reply.header('set-cookie', cookie.set(token))
        return { ...body, data: { ...body.data, accessToken: null, refreshToken: null } }
      }
    }
    if (route.config?.replacesCookie) {
      route.onSend = async ({ newCookie }, reply) => {
        if (newCookie === undefined) return
        reply.header('set-cookie', cookie.set(newCookie))
        reply.header(CSRF_HEADER, csrfTokenOf(newCookie))
      }
    }
    if (route.url === '/api/core/auth/logout') {
      route.onSend = async (_request, reply) => {
        if (reply.statusCode === 200) reply.header('set-cookie', cookie.clear())
      }
    }
  })
}

const BrowserSessionData = Type.Object(
  {
    ...account,
    environment: Type.Enum(['sandbox', 'live'], { description: 'Whether the service moves test money or real money.' }),
    csrfToken: orNull(
      Type.String(),
      'What the page sends in `X-Weir-Csrf` with every request that changes something; null without a cookie.',
    ),
    factors: factorNames,
    passwordChangeRequired: Type.Boolean({ description: 'Whether the user must set a new password first.' }),
    enrollmentRequired: Type.Boolean({ description: 'Whether the user must enrol a second factor first.' }),
  },
  { $id: 'BrowserSession', description: 'The session of this browser.' },
)

/** The session of a page: `GET /api/core/auth/browser-session`. */
export function browserSessionRoute(app: App, parts: IdentityParts, cookie: SessionCookie): void {
  app.get(
    '/api/core/auth/browser-session',
    {
      config: beforePasswordChange,
      schema: {
        tags: ['Authentication'],
        operationId: 'getBrowserSession',
        summary: 'Get the session of this browser',
        description:
          'The signed-in user, and the token that proves that a request comes from this page. A sign-in with the header `X-Weir-Session: cookie` sets the session as an HttpOnly cookie and returns no tokens; see the docs on the dashboard.',
        response: { 200: envelope(BrowserSessionData, 'The session.') },
      },
    },
    async (request) => {
      const credential = userCredentialOf(request)
      const { user, organization } = await getAccount(parts, credential)
      const value = request.headers.authorization === undefined ? cookie.read(request) : undefined
      return ok({
        user,
        organization,
        environment: parts.environment,
        csrfToken: value === undefined ? null : csrfTokenOf(value),
        factors: [...(credential.secondFactor?.kinds ?? [])],
        passwordChangeRequired: credential.passwordChangeRequired ?? false,
        enrollmentRequired: credential.enrollmentRequired ?? false,
      })
    },
  )
}
