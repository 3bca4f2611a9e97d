import { authRoutes } from '../../src/surfaces/core/identity/sessions/auth.ts'
import {
  browserSessionRoute,
  keepSessionsInCookies,
} from '../../src/surfaces/core/identity/sessions/browser-session.ts'
import { sessionRoutes } from '../../src/surfaces/core/identity/sessions/sessions.ts'
import { sessionCookie } from '../../src/surfaces/http/index.ts'
import { organization, PASSWORD } from '../identity/identity-fixture.ts'
import { type CoreAnswer, type CoreServer, coreServer, type Routes } from './core-server.ts'

const PUBLIC_URL = 'http://127.0.0.1:3000'

export type PageHeaders = Readonly<Record<string, string>>

/** What a browser sends with the requests of the service's own pages. */
export const OWN_PAGE: PageHeaders = { 'sec-fetch-site': 'same-origin', origin: PUBLIC_URL }

/** A server that keeps sessions in cookies, with the routes of an account and `more`. */
export function cookieServer(more: Routes = () => {}): Promise<CoreServer> {
  return coreServer((app, parts) => {
    const cookie = sessionCookie(PUBLIC_URL)
    keepSessionsInCookies(app, cookie)
    browserSessionRoute(app, parts, cookie)
    authRoutes(app, parts)
    sessionRoutes(app, parts)
    more(app, parts)
  })
}

/** Sends a request as a page: all of its headers are given. */
export async function sendAsPage(
  { app }: CoreServer,
  request: { readonly method: 'GET' | 'POST' | 'DELETE'; readonly url: string; readonly headers: PageHeaders },
  body?: unknown,
): Promise<CoreAnswer> {
  const { method, url, headers } = request
  const answer = await app.inject({
    method,
    url,
    headers: { ...headers, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { payload: JSON.stringify(body) } : {}),
  })
  return { status: answer.statusCode, headers: answer.headers, body: answer.json() }
}

/** Signs the owner of a new organization in, as a page that asks for a cookie. */
export async function signInForCookie(server: CoreServer, headers: PageHeaders = OWN_PAGE) {
  const { user, owner } = await organization(server.parts)
  const credentials = { email: user.email, password: PASSWORD }
  const login = {
    method: 'POST',
    url: '/api/core/auth/login',
    headers: { 'x-weir-session': 'cookie', ...headers },
  } as const
  const answer = await sendAsPage(server, login, credentials)
  return { answer, cookie: cookieOf(answer), credentials, organizationId: owner.organizationId }
}

/** The cookie that a response sets; empty if it sets none. */
export const cookieOf = ({ headers }: CoreAnswer): string => String(headers['set-cookie'] ?? '').split(';')[0]!

/** The token with which the page of this cookie proves its origin. */
export async function csrfOf(server: CoreServer, cookie: string): Promise<string> {
  const session = { method: 'GET', url: '/api/core/auth/browser-session', headers: { ...OWN_PAGE, cookie } } as const
  return (await sendAsPage(server, session)).body.data.csrfToken
}
