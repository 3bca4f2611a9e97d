import { afterAll, beforeAll, expect, test } from 'vitest'
import { organization, PASSWORD } from '../../../../../testing/identity/identity-fixture.ts'
import { type CoreServer, coreServer, staffedOrganization } from '../../../../../testing/surfaces/core-server.ts'
import { listAuditLog } from '../../../../identity/index.ts'
import { memberRoutes } from '../organization/members.ts'
import { authRoutes } from './auth.ts'
import { sessionRoutes } from './sessions.ts'

let server: CoreServer
beforeAll(async () => {
  server = await coreServer((app, parts) => {
    authRoutes(app, parts)
    sessionRoutes(app, parts)
    memberRoutes(app, { ...parts, assignedPasswords: 'one-time' })
  })
})
afterAll(() => server?.close())

const PATH = '/api/core/auth/sessions'
const OWN = 'a password of their own'
const logIn = (email: string, password = PASSWORD, address?: string) =>
  server.call('POST', '/api/core/auth/login', { body: { email, password }, ...(address ? { address } : {}) })
const change = (token: string, currentPassword: string, newPassword: string) =>
  server.call('POST', '/api/core/auth/password', { token, body: { currentPassword, newPassword } })

test('the list shows where each session was opened, and which one asks', async () => {
  const { user } = await organization(server.parts)
  const { accessToken } = (await logIn(user.email, PASSWORD, '203.0.113.7')).body.data
  const { status, body, headers } = await server.call('GET', PATH, { token: accessToken })
  expect([status, headers['x-total-count']]).toEqual([200, '2'])
  expect(body.data).toEqual([
    {
      id: expect.any(Number),
      createdAt: expect.any(String),
      lastUsedAt: expect.any(String),
      address: '203.0.113.7',
      userAgent: 'lightMyRequest',
      current: true,
    },
    expect.objectContaining({ address: null, userAgent: null, current: false }),
  ])
})

test('a user ends one of their sessions, or all others, and the audit log says so', async () => {
  const { user, owner, accessToken: token } = await organization(server.parts)
  const others = [(await logIn(user.email)).body.data, (await logIn(user.email)).body.data]
  const [latest] = (await server.call('GET', PATH, { token })).body.data
  expect((await server.call('DELETE', `${PATH}/${latest.id}`, { token })).body.data).toEqual({ deleted: true })
  expect((await server.call('DELETE', `${PATH}/${latest.id}`, { token })).status).toBe(404)
  expect((await server.call('GET', PATH, { token: others[1].accessToken })).status).toBe(401)
  expect((await server.call('GET', PATH, { token: others[0].accessToken })).status).toBe(200)
  expect((await server.call('DELETE', PATH, { token })).body.data).toEqual({ ended: 1 })
  expect((await server.call('GET', PATH, { token: others[0].accessToken })).status).toBe(401)
  const { items } = await listAuditLog(server.parts, owner.organizationId, {}, { limit: 2, offset: 0 })
  expect(items).toMatchObject([
    { action: 'endOtherSessions', objectType: 'member', objectId: user.id },
    { action: 'endSession', objectType: 'session', objectId: latest.id },
  ])
})

test('a viewer changes their password, which is audited without it', async () => {
  const { tokens, ids, organizationId } = await staffedOrganization(server.parts)
  const email = `viewer.of.${organizationId}@acme.example`
  const refused = await change(tokens.viewer, 'not the password', OWN)
  expect([refused.status, refused.body.code]).toEqual([400, 'VALIDATION_ERROR'])
  expect((await change(tokens.viewer, PASSWORD, OWN)).body.data).toEqual({ ended: 0 })
  expect((await logIn(email)).status).toBe(401)
  expect((await logIn(email, OWN)).status).toBe(200)
  const { items } = await listAuditLog(
    server.parts,
    organizationId,
    { action: 'changePassword' },
    { limit: 1, offset: 0 },
  )
  expect(items).toMatchObject([{ actor: { type: 'user', id: ids.viewer }, objectId: ids.viewer }])
  expect(JSON.stringify(items)).not.toContain(OWN)
})

test('too many wrong current passwords lock the account like failed logins, with Retry-After', async () => {
  const { accessToken } = await organization(server.parts)
  for (let i = 0; i < 10; i += 1) expect((await change(accessToken, 'not the password', OWN)).status).toBe(400)
  const { status, headers } = await change(accessToken, PASSWORD, OWN)
  expect([status, Number(headers['retry-after'])]).toEqual([429, expect.any(Number)])
})

test('a session of a one-time password sets another password, logs out, and does nothing else', async () => {
  const { tokens, organizationId } = await staffedOrganization(server.parts)
  const person = { email: `new.of.${organizationId}@acme.example`, password: 'a password of the admin' }
  const body = { ...person, role: 'admin' }
  expect((await server.call('POST', '/api/core/members', { token: tokens.owner, body })).status).toBe(201)
  const { data } = (await logIn(person.email, person.password)).body
  expect(data.passwordChangeRequired).toBe(true)
  const token = data.accessToken
  for (const [method, url] of [
    ['GET', PATH],
    ['GET', '/api/core/auth/me'],
    ['GET', '/api/core/members'],
    ['DELETE', PATH],
  ] as const)
    expect(await server.call(method, url, { token })).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } })
  const { refreshToken } = data
  const refreshed = await server.call('POST', '/api/core/auth/refresh', { body: { refreshToken } })
  expect(refreshed.body.data.passwordChangeRequired).toBe(true)
  expect((await server.call('POST', '/api/core/auth/logout', { token })).status).toBe(200)
  const again = (await logIn(person.email, person.password)).body.data.accessToken
  expect((await change(again, person.password, OWN)).status).toBe(200)
  expect((await server.call('GET', '/api/core/members', { token: again })).status).toBe(200)
  expect((await logIn(person.email, OWN)).body.data).not.toHaveProperty('passwordChangeRequired')
})

test('an admin can neither set the password of another admin nor end the sessions of an owner', async () => {
  const { tokens, ids, organizationId } = await staffedOrganization(server.parts)
  const email = `second.of.${organizationId}@acme.example`
  const body = { email, password: PASSWORD, role: 'admin' }
  const second = (await server.call('POST', '/api/core/members', { token: tokens.owner, body })).body.data.id
  const password = { body: { password: 'taken over, taken' } }
  const taken = await server.call('PATCH', `/api/core/members/${second}`, { token: tokens.admin, ...password })
  expect([taken.status, taken.body.code]).toEqual([403, 'FORBIDDEN'])
  const end = (id: number) => server.call('DELETE', `/api/core/members/${id}/sessions`, { token: tokens.admin })
  expect((await end(ids.owner)).status).toBe(403)
  expect((await end(ids.viewer)).body.data).toEqual({ ended: 1 })
  expect((await server.call('GET', PATH, { token: tokens.viewer })).status).toBe(401)
  expect((await server.call('GET', PATH, { token: tokens.owner })).status).toBe(200)
})
