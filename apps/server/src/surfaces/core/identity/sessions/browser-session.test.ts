import { afterAll, beforeAll, expect, test } from 'vitest'
import { organization, PASSWORD } from '../../../../../testing/identity/identity-fixture.ts'
import {
  cookieServer,
  csrfOf,
  type PageHeaders as Headers,
  OWN_PAGE as OWN,
  sendAsPage,
  signInForCookie,
} from '../../../../../testing/surfaces/cookie-server.ts'
import type { CoreServer } from '../../../../../testing/surfaces/core-server.ts'
import { sessionCookie } from '../../../http/index.ts'

let server: CoreServer
beforeAll(async () => {
  server = await cookieServer()
})
afterAll(() => server?.close())

const send = (method: 'GET' | 'POST' | 'DELETE', url: string, headers: Headers, body?: unknown) =>
  sendAsPage(server, { method, url, headers }, body)
const signIn = (headers?: Headers) => signInForCookie(server, headers)

async function signedIn() {
  const { cookie } = await signIn()
  return { cookie, csrf: await csrfOf(server, cookie) }
}

const SESSIONS = '/api/core/auth/sessions'

test('a sign-in of a page sets an HttpOnly cookie and returns no token', async () => {
  const { answer } = await signIn()
  expect(answer.status).toBe(200)
  expect(answer.headers['set-cookie']).toMatch(
    /^weir-session-3000=[0-9A-Za-z]{43}; Path=\/; HttpOnly; SameSite=Strict$/,
  )
  expect(answer.body.data).toMatchObject({ accessToken: null, refreshToken: null })
  expect(sessionCookie('https://weir.example').set('x')).toBe(
    '__Host-weir-session=x; Path=/; HttpOnly; SameSite=Strict; Secure',
  )
})

test('other clients get their tokens and no cookie', async () => {
  const { user } = await organization(server.parts)
  const answer = await send('POST', '/api/core/auth/login', {}, { email: user.email, password: PASSWORD })
  expect(answer.headers['set-cookie']).toBeUndefined()
  expect(answer.body.data.refreshToken).toMatch(/^\w{43}$/)
})

test('the cookie and the token of the page open the routes of its user', async () => {
  const { cookie, csrf } = await signedIn()
  expect((await send('GET', SESSIONS, { ...OWN, cookie })).status).toBe(200)
  expect((await send('DELETE', SESSIONS, { ...OWN, cookie, 'x-weir-csrf': csrf })).status).toBe(200)
})

test('a form or a script of another site is refused, with and without the token', async () => {
  const { cookie, csrf } = await signedIn()
  const refused = { status: 403, body: { code: 'FORBIDDEN', details: { reason: 'cross_site_request' } } }
  const token = { 'x-weir-csrf': csrf }
  const other = { origin: 'https://evil.example' }
  for (const headers of [
    { 'sec-fetch-site': 'cross-site', ...other },
    { 'sec-fetch-site': 'same-site', origin: 'http://127.0.0.1:4000' },
    { 'sec-fetch-site': 'none' },
    other,
    { origin: 'null' },
    {},
  ]) {
    expect(await send('DELETE', SESSIONS, { ...headers, ...token, cookie }), JSON.stringify(headers)).toMatchObject(
      refused,
    )
  }
  expect(await send('GET', SESSIONS, { 'sec-fetch-site': 'cross-site', cookie })).toMatchObject(refused)
})

test('a request without the token of its own session is refused', async () => {
  const [{ cookie }, other] = [await signedIn(), await signedIn()]
  const refused = { status: 403, body: { code: 'FORBIDDEN', details: { reason: 'csrf_token_invalid' } } }
  expect(await send('DELETE', SESSIONS, { ...OWN, cookie })).toMatchObject(refused)
  expect(await send('DELETE', SESSIONS, { ...OWN, cookie, 'x-weir-csrf': 'x' })).toMatchObject(refused)
  expect(await send('DELETE', SESSIONS, { ...OWN, cookie, 'x-weir-csrf': other.csrf })).toMatchObject(refused)
})

test('another site cannot sign a browser in', async () => {
  const { answer, credentials } = await signIn({ 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' })
  expect(answer).toMatchObject({ status: 403, body: { details: { reason: 'cross_site_request' } } })
  expect(answer.headers['set-cookie']).toBeUndefined()
  // Without the header there is no cookie, so a form of another site gets nothing to plant.
  const form = await send('POST', '/api/core/auth/login', { origin: 'https://evil.example' }, credentials)
  expect(form.headers['set-cookie']).toBeUndefined()
})

test('a cookie that the browser held before the sign-in is replaced', async () => {
  const planted = `weir-session-3000=${'a'.repeat(43)}`
  const { cookie } = await signIn({ ...OWN, cookie: planted })
  expect(cookie).not.toBe(planted)
  expect((await send('GET', SESSIONS, { ...OWN, cookie: planted })).status).toBe(401)
  expect((await send('GET', SESSIONS, { ...OWN, cookie: `${planted}; ${cookie}` })).status).toBe(401)
})

test('a log-out ends the session and clears the cookie', async () => {
  const { cookie, csrf } = await signedIn()
  const answer = await send('POST', '/api/core/auth/logout', { ...OWN, cookie, 'x-weir-csrf': csrf })
  expect(answer.status).toBe(200)
  expect(answer.headers['set-cookie']).toBe('weir-session-3000=; Max-Age=0; Path=/; HttpOnly; SameSite=Strict')
  expect((await send('GET', SESSIONS, { ...OWN, cookie })).status).toBe(401)
})

test('a bearer token or a key takes precedence over a cookie', async () => {
  const { cookie } = await signedIn()
  const { accessToken } = await organization(server.parts)
  const authorization = `Bearer ${accessToken}`
  const { body } = await send('GET', '/api/core/auth/browser-session', { authorization, cookie })
  expect(body.data.csrfToken).toBeNull()
  expect((await send('GET', SESSIONS, { ...OWN, cookie, authorization: 'Bearer x' })).status).toBe(401)
})
