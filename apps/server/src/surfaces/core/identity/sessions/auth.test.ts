import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { organization, PASSWORD } from '../../../../../testing/identity/identity-fixture.ts'
import { type CoreServer, coreServer } from '../../../../../testing/surfaces/core-server.ts'
import { authRoutes } from './auth.ts'

let server: CoreServer
beforeAll(async () => {
  server = await coreServer(authRoutes)
})
afterAll(() => server.close())

const post = (path: string, body: unknown, more: object = {}) =>
  server.call('POST', `/api/core/auth/${path}`, { body, ...more })

test('a user registers, reads their account, refreshes, logs in again and logs out', async () => {
  const registration = { email: 'Lin@Example.com', password: PASSWORD, name: 'Lin', organizationName: 'Lin & Co' }
  const registered = await post('register', registration)
  expect(registered).toMatchObject({
    status: 201,
    body: {
      success: true,
      data: {
        tokenType: 'Bearer',
        expiresIn: 3_600,
        user: { email: 'lin@example.com', name: 'Lin', role: 'owner' },
        organization: { name: 'Lin & Co' },
      },
    },
  })
  const { accessToken: token, refreshToken, user, organization: home } = registered.body.data
  expect((await server.call('GET', '/api/core/auth/me', { token })).body).toEqual({
    success: true,
    data: { user, organization: home },
  })
  const refreshed = await post('refresh', { refreshToken })
  expect(refreshed).toMatchObject({ status: 200, body: { data: { tokenType: 'Bearer', user, organization: home } } })
  expect(Object.keys(refreshed.body.data)).toEqual(Object.keys(registered.body.data))
  const login = await post('login', { email: registration.email, password: PASSWORD })
  expect(login).toMatchObject({ status: 200, body: { success: true, data: { user, organization: home } } })
  const second = login.body.data.accessToken
  expect((await server.call('POST', '/api/core/auth/logout', { token: second })).status).toBe(200)
  expect((await server.call('GET', '/api/core/auth/me', { token: second })).status).toBe(401)
  expect((await post('refresh', { refreshToken: login.body.data.refreshToken })).status).toBe(401)
})

test('a refresh token used twice ends the session', async () => {
  const { refreshToken, accessToken } = await organization(server.parts)
  expect((await post('refresh', { refreshToken })).status).toBe(200)
  const again = await post('refresh', { refreshToken })
  expect(again).toMatchObject({ status: 401, body: { code: 'UNAUTHORIZED' } })
  expect((await server.call('GET', '/api/core/auth/me', { token: accessToken })).status).toBe(401)
})

test('an unknown email and a wrong password get the same response', async () => {
  const { user } = await organization(server.parts)
  const wrong = await post('login', { email: user.email, password: 'not the password' })
  const unknown = await post('login', { email: 'nobody@acme.example', password: 'not the password' })
  const strange = await post('login', { email: 'no address', password: 'x' })
  expect(wrong.status).toBe(401)
  for (const answer of [unknown, strange]) {
    expect({ ...answer.body, requestId: '' }).toEqual({ ...wrong.body, requestId: '' })
    expect(Object.keys(answer.headers)).toEqual(Object.keys(wrong.headers))
  }
})

test('after ten failures the account is locked for the address, and the response says for how long', async () => {
  const { user } = await organization(server.parts)
  const login = (password: string, address = '192.0.2.1') => post('login', { email: user.email, password }, { address })
  for (let i = 0; i < 10; i += 1) expect((await login('not the password')).status).toBe(401)
  const closed = await login(PASSWORD)
  expect(closed).toMatchObject({ status: 429, body: { code: 'RATE_LIMIT_EXCEEDED' } })
  expect(closed.headers['retry-after']).toBe('900')
  expect((await login(PASSWORD, '192.0.2.2')).status).toBe(200)
  server.parts.clock.advance(15 * 60_000)
  expect((await login(PASSWORD)).status).toBe(200)
})

test('an email address in use is a conflict', async () => {
  const { user } = await organization(server.parts)
  const answer = await post('register', { email: user.email, password: PASSWORD, organizationName: 'Second' })
  expect(answer).toMatchObject({ status: 409, body: { code: 'CONFLICT' } })
})

describe('a malformed request is rejected with the field that is wrong', () => {
  const good = { email: 'new@example.com', password: PASSWORD, organizationName: 'New' }
  test.each([
    ['register', 'email', { ...good, email: undefined }],
    ['register', 'email', { ...good, email: 'nobody' }],
    ['register', 'email', { ...good, email: 5 }],
    ['register', 'email', { ...good, email: `${'x'.repeat(250)}@example.com` }],
    ['register', 'password', { ...good, password: 'elevenchars' }],
    ['register', 'password', { ...good, password: 'x'.repeat(1_025) }],
    ['register', 'name', { ...good, name: ' ' }],
    ['register', 'name', { ...good, name: null }],
    ['register', 'organizationName', { ...good, organizationName: '' }],
    ['register', 'organizationName', { ...good, organizationName: 'x'.repeat(201) }],
    ['login', 'email', { password: PASSWORD }],
    ['login', 'password', { email: 'new@example.com', password: 'x'.repeat(1_025) }],
    ['refresh', 'refreshToken', {}],
    ['refresh', 'refreshToken', { refreshToken: 12 }],
  ])('%s: %s', async (path, field, body) => {
    const { status, body: answer } = await post(path, body)
    expect(status).toBe(400)
    expect(answer.code).toBe('VALIDATION_ERROR')
    expect(answer.details.issues.map((issue: { path: string }) => issue.path)).toContain(field)
  })
})

test('repeated with its idempotency key, each happens once and returns the same response without the tokens', async () => {
  const { user, refreshToken } = await organization(server.parts)
  const requests = [
    ['register', { email: 'once@example.com', password: PASSWORD, organizationName: 'Once' }],
    ['login', { email: user.email, password: PASSWORD }],
    ['refresh', { refreshToken }],
  ] as const
  for (const [path, body] of requests) {
    const first = await post(path, body, { idempotencyKey: `key-${path}` })
    const second = await post(path, body, { idempotencyKey: `key-${path}` })
    expect(first.body.data.accessToken).toEqual(expect.any(String))
    expect(second).toMatchObject({ status: first.status, headers: { 'idempotency-replayed': 'true' } })
    const data = { ...first.body.data, accessToken: null, refreshToken: null }
    expect(second.body).toEqual({ ...first.body, data })
    const me = await server.call('GET', '/api/core/auth/me', { token: first.body.data.accessToken })
    expect(me.status).toBe(200)
  }
})
