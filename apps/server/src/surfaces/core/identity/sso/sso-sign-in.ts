import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { completeSignIn, exchangeSignInCode, type SsoParts, startSignIn } from '../../../../identity/index.ts'
import { EMAIL_LENGTH_MAX, SSO_PARAMETER_LENGTH_MAX, TOKEN_LENGTH_MAX } from '../../../../kernel/index.ts'
import {
  type App,
  clientAddress,
  envelope,
  id,
  idParams,
  ok,
  recordPartialRefusal,
  runVerb,
} from '../../../http/index.ts'
import { dateTime } from '../../schemas.ts'
import { LoginData, presentLogin } from '../sessions/login-schemas.ts'
import { sessionClientOf } from '../shared/session-client.ts'
import { signsIn } from '../shared/session-schemas.ts'
import { browserCookie } from './sso-cookie.ts'

const StartedSignIn = Type.Object(
  {
    url: Type.String({ description: 'Where to send the browser. It must also send the cookie of this response back.' }),
    expiresAt: dateTime('When the sign-in expires: after 10 minutes.'),
  },
  { $id: 'StartedSignIn', description: 'A sign-in that has begun.' },
)

const SignInCode = Type.Object(
  {
    code: Type.String({ description: 'For `POST /api/core/auth/sso/token`. Works once.' }),
    expiresAt: dateTime('When the code expires: after 2 minutes.'),
  },
  { $id: 'SignInCode', description: 'The one-time code of a finished sign-in.' },
)

const tags = ['Single sign-on']
const parameter = (description: string) =>
  Type.Optional(Type.String({ maxLength: SSO_PARAMETER_LENGTH_MAX, description }))
const config = { access: 'auth', limit: 'auth' } as const

const ProviderResponse = Type.Object({
  state: Type.String({ minLength: 1, maxLength: SSO_PARAMETER_LENGTH_MAX, description: 'The state.' }),
  code: parameter('The authorization code.'),
  iss: parameter('The issuer, from providers that send it.'),
  error: parameter('The error, if the provider refused.'),
})

const SignedIn = {
  description: 'Signed in.',
  content: {
    'application/json': { schema: envelope(SignInCode, 'Signed in.') },
    'text/html': { schema: Type.String({ description: 'A page that shows the code.' }) },
  },
}

/** Signing in at an organization's identity provider: `/api/core/auth/sso/*`. */
export function ssoSignInRoutes(app: App, parts: SsoParts): void {
  app.get(
    '/api/core/auth/sso/start',
    {
      config: {
        ...config,
        notFound: 'No single sign-on is configured for this domain or organization.',
        conflict: 'The identity provider does not respond.',
      },
      schema: {
        tags,
        operationId: 'startSso',
        summary: 'Start a single sign-on',
        description:
          'Names the page at which the user signs in, and sets a cookie that the callback requires. A browser (`Accept: text/html`) is redirected there. Send `email` or `organization`. The response depends on the domain of the address only. Returns 404 NOT_FOUND if no identity provider is configured, and 409 CONFLICT with `details.reason` `provider_unavailable` if it does not respond as OpenID Connect requires.',
        querystring: Type.Object({
          email: Type.Optional(
            Type.String({ maxLength: EMAIL_LENGTH_MAX, description: 'Email address, case-insensitive.' }),
          ),
          organization: Type.Optional(id('Organization id.')),
          provider: Type.Optional(id('Identity provider id, for an organization that has several.')),
        }),
        response: {
          200: envelope(StartedSignIn, 'The page to open.'),
          302: Type.Null({ description: 'Redirects a browser to the page.' }),
        },
      },
    },
    async (request, reply) => {
      const { email, organization: organizationId, provider: providerId } = request.query
      const { url, browserSecret, expiresAt } = await startSignIn(parts, { email, organizationId, providerId })
      reply.header('Set-Cookie', browserCookie(parts.sso.callbackUrl).set(browserSecret))
      if (wantsPage(request)) return reply.code(302).header('Location', url).send(null)
      return ok({ url, expiresAt: expiresAt.toISOString() })
    },
  )

  const finishes = {
    ...config,
    forbidden: 'The organization does not let this person in.',
    notFound: 'The identity provider was deleted.',
    conflict: 'The organization has reached its quota of members.',
  } as const

  app.get(
    '/api/core/auth/sso/callback/:id',
    {
      config: finishes,
      schema: {
        tags,
        operationId: 'finishSso',
        summary: 'Finish a single sign-on',
        description:
          'The redirect URI to register at this identity provider. Checks the response of the provider, finds, links or creates the member, and returns a one-time code; a browser (`Accept: text/html`) gets a page that shows it. Returns 401 UNAUTHORIZED with `details.reason` `unknown_state` (not begun in this browser, finished, or older than 10 minutes), `provider_refused` or `sign_in_failed` (with `details.problem` `OTHER_REDIRECT_URI` if the sign-in was begun at another provider), and 403 FORBIDDEN with `email_not_verified`, `domain_not_proved`, `email_in_use`, `member_removed`, `already_linked`, `owner_not_allowed` or `no_role`. `details.problem` helps the person who configures the provider.',
        params: idParams('Identity provider id.'),
        querystring: ProviderResponse,
        response: { 200: SignedIn },
      },
    },
    async (request, reply) => finish(parts, request, reply, request.params.id),
  )

  app.get(
    '/api/core/auth/sso/callback',
    {
      config: finishes,
      schema: {
        tags,
        operationId: 'finishSharedSso',
        summary: 'Finish a single sign-on at an identity provider added before 0.4.0',
        description:
          'As `GET /api/core/auth/sso/callback/{id}`, for identity providers that were added before 0.4.0 and name themselves in the parameter `iss` (RFC 9207); any other response is refused with 401 UNAUTHORIZED, `details.reason` `sign_in_failed`.',
        querystring: ProviderResponse,
        response: { 200: SignedIn },
      },
    },
    async (request, reply) => finish(parts, request, reply, undefined),
  )

  app.post(
    '/api/core/auth/sso/token',
    {
      config: { ...signsIn, audit: { object: 'member', id: 'data.user.id' } },
      schema: {
        tags,
        operationId: 'exchangeSsoCode',
        summary: 'Exchange the code of a single sign-on',
        description:
          'Opens a session like `POST /api/core/auth/login`, or, if you have a second factor and your provider did not ask for one, returns a challenge as that does. The code works once, for 2 minutes; otherwise 401 UNAUTHORIZED. If a code is used twice, it was copied: its session ends.',
        body: Type.Object({
          code: Type.String({ minLength: 1, maxLength: TOKEN_LENGTH_MAX, description: 'The code of the callback.' }),
        }),
        response: { 200: LoginData },
      },
    },
    async (request, reply) =>
      runVerb(reply, 200, presentLogin, (transact) =>
        exchangeSignInCode(parts, { code: request.body.code, client: sessionClientOf(request) }, transact),
      ),
  )
}

async function finish(
  parts: SsoParts,
  request: FastifyRequest,
  reply: FastifyReply,
  callbackOf: number | undefined,
): Promise<FastifyReply> {
  const cookie = browserCookie(parts.sso.callbackUrl)
  const { state, error } = request.query as { state: string; error?: string }
  const { code, expiresAt, refusedRole } = await completeSignIn(parts, {
    state,
    error,
    callbackOf,
    browserSecret: cookie.read(request.headers.cookie),
    query: request.raw.url?.split('?')[1] ?? '',
    from: clientAddress(request),
  })
  if (refusedRole !== undefined) {
    const { memberId: userId, ...refusal } = refusedRole
    recordPartialRefusal(request, { type: 'role_refused', userId, ...refusal })
  }
  reply.header('Set-Cookie', cookie.clear())
  if (wantsPage(request)) return reply.type('text/html; charset=utf-8').serializer(String).send(pageWith(code))
  return reply.type('application/json; charset=utf-8').send(ok({ code, expiresAt: expiresAt.toISOString() }))
}

function wantsPage(request: FastifyRequest): boolean {
  return request.headers.accept?.includes('text/html') ?? false
}

/** The code is letters and digits. The page loads nothing and runs nothing. */
function pageWith(code: string): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="robots" content="noindex"><title>Signed in</title></head>
<body>
<h1>You are signed in</h1>
<p><a href="/app/sign-in#sso=${code}">Continue in the dashboard</a></p>
<p>Or copy this code into the application that sent you here. It works once, for two minutes.</p>
<p><code id="code">${code}</code></p>
</body>
</html>
`
}
