// A thief with a copy of a session cookie, and what the user does about it. Also tested in:
// identity/factors/replace-cookie.test.ts (races, limits).

import { afterAll, beforeAll, expect, test } from 'vitest'
import { codeAt } from '../../../../../testing/identity/enroll-factors.ts'
import { organization, PASSWORD } from '../../../../../testing/identity/identity-fixture.ts'
import { softwareAuthenticator } from '../../../../../testing/identity/software-authenticator.ts'
import {
  cookieOf,
  cookieServer,
  csrfOf,
  type PageHeaders as Headers,
  OWN_PAGE as OWN,
  sendAsPage,
  signInForCookie,
} from '../../../../../testing/surfaces/cookie-server.ts'
import type { CoreServer } from '../../../../../testing/surfaces/core-server.ts'
import { REPLACED_COOKIE_LIFETIME_MS } from '../../../../kernel/index.ts'
import { factorRoutes } from '../accounts/factors.ts'
import { apiKeyRoutes } from '../keys/api-keys.ts'
import { stepUpRoutes } from './step-up.ts'

const NEW_PASSWORD = 'quite another pass phrase 77'

let server: CoreServer
beforeAll(async () => {
  server = await cookieServer((app, parts) => {
    factorRoutes(app, parts)
    stepUpRoutes(app, parts)
    apiKeyRoutes(app, parts)
  })
})
afterAll(() => server?.close())

async function send(method: 'GET' | 'POST', url: string, headers: Headers, body?: unknown) {
  const answer = await sendAsPage(server, { method, url, headers }, body)
  return {
    status: answer.status,
    body: answer.body,
    reason: answer.body.details?.reason as string | undefined,
    /** The cookie of the response and its token, as the page takes them. */
    next: answer.headers['set-cookie'] && {
      ...OWN,
      cookie: cookieOf(answer),
      'x-weir-csrf': String(answer.headers['x-weir-csrf']),
    },
  }
}

/** The headers of a page that signed in. A thief sends the same. */
async function signedIn(): Promise<Headers & { readonly cookie: string }> {
  const { cookie } = await signInForCookie(server)
  return { ...OWN, cookie, 'x-weir-csrf': await csrfOf(server, cookie) }
}

async function enroll(page: Headers, currentPassword = PASSWORD) {
  const { body } = await send('POST', '/api/core/auth/factors/totp', page, { currentPassword })
  const code = () => codeAt(body.data.secret, server.parts.clock.now())
  const confirmed = await send('POST', '/api/core/auth/factors/totp/confirm', page, { code: code() })
  return { confirmed, code }
}

const makeKey = (page: Headers) => send('POST', '/api/core/apikeys/generate', page, { name: 'Mallory' })

/** A copy of the old cookie reads for half a minute, opens nothing that needs a step-up, and then nothing at all. */
async function expectUseless(copy: Headers) {
  expect((await send('GET', '/api/core/auth/me', copy)).status).toBe(200)
  expect(await makeKey(copy)).toMatchObject({ status: 403, reason: 'session_cookie_replaced' })
  server.parts.clock.advance(REPLACED_COOKIE_LIFETIME_MS)
  expect((await send('GET', '/api/core/auth/me', copy)).status).toBe(401)
  expect((await makeKey(copy)).status).toBe(401)
}

test('a new password replaces the cookie, and a copy of the old one is useless', async () => {
  const page = await signedIn()
  const body = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD }
  const changed = await send('POST', '/api/core/auth/password', page, body)
  expect(changed).toMatchObject({ status: 200, body: { data: { ended: 1 } } })
  expect(Object.keys(changed.body.data)).toEqual(['ended'])
  expect((await makeKey(changed.next as Headers)).status).toBe(201)
  await expectUseless(page)
  expect((await send('GET', '/api/core/auth/me', changed.next as Headers)).status).toBe(200)
})

test('the first authenticator app replaces the cookie, and steps up no copy of the old one', async () => {
  const page = await signedIn()
  const { confirmed } = await enroll(page)
  expect(confirmed.status).toBe(200)
  expect(Object.keys(confirmed.body.data).toSorted()).toEqual(['ended', 'recoveryCodes'])
  expect((await makeKey(confirmed.next as Headers)).status).toBe(201)
  await expectUseless(page)
})

test('a passkey replaces the cookie', async () => {
  const page = await signedIn()
  const options = await send('POST', '/api/core/auth/factors/passkeys/options', page, { currentPassword: PASSWORD })
  const passkey = softwareAuthenticator().create({ challenge: options.body.data.challenge })
  const added = await send('POST', '/api/core/auth/factors/passkeys', page, { name: 'Laptop', passkey })
  expect(added.status).toBe(201)
  expect(Object.keys(added.body.data)).not.toContain('cookie')
  await expectUseless(page)
})

test('a step-up replaces the cookie, and steps up no copy of the old one', async () => {
  const { confirmed, code } = await enroll(await signedIn())
  const page = confirmed.next as Headers
  server.parts.clock.advance(server.parts.factors.stepUpMs)
  expect(await makeKey(page)).toMatchObject({ status: 403, reason: 'step_up_required' })
  const stepped = await send('POST', '/api/core/auth/step-up', page, { totp: code() })
  expect(Object.keys(stepped.body.data)).toEqual(['verifiedUntil'])
  expect((await makeKey(stepped.next as Headers)).status).toBe(201)
  await expectUseless(page)
})

test('a refused attempt, a repeated key and a client with tokens get no cookie', async () => {
  const page = await signedIn()
  const wrong = { currentPassword: 'wrong pass phrase', newPassword: NEW_PASSWORD }
  expect(await send('POST', '/api/core/auth/password', page, wrong)).toMatchObject({ status: 400, next: undefined })
  const keyed = { ...page, 'idempotency-key': 'twice' }
  const body = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD }
  expect((await send('POST', '/api/core/auth/password', keyed, body)).next).toBeDefined()
  expect(await send('POST', '/api/core/auth/password', keyed, body)).toMatchObject({ status: 400, next: undefined })
  const { accessToken } = await organization(server.parts)
  const bearer = { authorization: `Bearer ${accessToken}` }
  expect(await send('POST', '/api/core/auth/password', bearer, body)).toMatchObject({ status: 200, next: undefined })
})

test('a response that is lost: the browser keeps the old cookie, and its user signs in again', async () => {
  const { user } = await organization(server.parts)
  const login = (password: string) =>
    send('POST', '/api/core/auth/login', { 'x-weir-session': 'cookie', ...OWN }, { email: user.email, password })
  const { cookie } = (await login(PASSWORD)).next as { cookie: string }
  const { body } = await send('GET', '/api/core/auth/browser-session', { ...OWN, cookie })
  const page = { ...OWN, cookie, 'x-weir-csrf': body.data.csrfToken }
  await send('POST', '/api/core/auth/password', page, { currentPassword: PASSWORD, newPassword: NEW_PASSWORD })
  server.parts.clock.advance(REPLACED_COOKIE_LIFETIME_MS)
  expect(await send('GET', '/api/core/auth/me', page)).toMatchObject({ status: 401, body: { code: 'UNAUTHORIZED' } })
  expect((await login(NEW_PASSWORD)).status).toBe(200)
})
