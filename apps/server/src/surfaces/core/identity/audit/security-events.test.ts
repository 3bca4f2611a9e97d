import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { PASSWORD } from '../../../../../testing/identity/identity-fixture.ts'
import { type CoreServer, coreServer, staffedOrganization } from '../../../../../testing/surfaces/core-server.ts'
import { apiKeyRoutes } from '../keys/api-keys.ts'
import { memberRoutes } from '../organization/members.ts'
import { authRoutes } from '../sessions/auth.ts'
import { securityEventRoutes } from './security-events.ts'

let server: CoreServer
let staff: Awaited<ReturnType<typeof staffedOrganization>>
beforeAll(async () => {
  server = await coreServer((app, parts) => {
    for (const routes of [authRoutes, memberRoutes, apiKeyRoutes, securityEventRoutes]) routes(app, parts)
  })
})
afterAll(() => server.close())
beforeEach(async () => {
  staff = await staffedOrganization(server.parts)
  server.parts.clock.advance(60_000)
})

type Method = Parameters<CoreServer['call']>[0]
const call = (method: Method, path: string, body?: unknown, more: object = {}) =>
  server.call(method, `/api/core/${path}`, { token: staff.tokens.owner, body, ...more })
async function events(query = '') {
  const { status, body } = await call('GET', `security-events${query}`)
  expect(status).toBe(200)
  return body.data.events
}

test('wrong passwords, missing roles, foreign ids and revoked keys are listed with who and from where', async () => {
  await call('POST', 'auth/login', { email: staff.email, password: 'a wrong password' }, { address: '2001:db8::7' })
  await call('POST', 'apikeys/generate', { name: 'Mine' }, { token: staff.tokens.viewer })
  await call('DELETE', 'members/999999999')
  const key = (await call('POST', 'apikeys/generate', { name: 'A key' })).body.data
  await call('DELETE', `apikeys/${key.id}`)
  await call('POST', 'apikeys/validate', undefined, { key: key.apiKey })
  expect(await events()).toMatchObject([
    {
      type: 'credential_refused',
      reason: 'revoked_key',
      actor: { type: 'key', id: key.id },
      keyId: key.id,
      status: 200,
    },
    { type: 'object_not_found', code: 'NOT_FOUND', actor: { type: 'user', id: staff.ids.owner }, keyId: null },
    { type: 'access_denied', reason: 'role', actor: { type: 'user', id: staff.ids.viewer }, status: 403 },
    {
      type: 'sign_in_refused',
      reason: 'wrong_password',
      actor: { type: 'user', id: staff.ids.owner },
      address: '2001:db8::7',
      method: 'POST',
      route: '/api/core/auth/login',
      count: 1,
    },
  ])
})

test('a refresh token that is used twice is an event of its user', async () => {
  const { refreshToken } = staff
  const refresh = () => call('POST', 'auth/refresh', { refreshToken }, { token: undefined })
  await refresh()
  expect((await refresh()).status).toBe(401)
  const owner = await server.call('POST', '/api/core/auth/login', { body: { email: staff.email, password: PASSWORD } })
  const { body } = await call('GET', 'security-events', undefined, { token: owner.body.data.accessToken })
  expect(body.data.events).toMatchObject([
    { type: 'sign_in_refused', reason: 'refresh_token_reused', actor: { type: 'user', id: staff.ids.owner } },
  ])
})

test('only owners and admins read them, and only those of their organization', async () => {
  await call('DELETE', 'members/999999999')
  const statuses = await Promise.all(
    (['owner', 'admin', 'approver', 'viewer'] as const).map(
      async (role) => (await call('GET', 'security-events', undefined, { token: staff.tokens[role] })).status,
    ),
  )
  expect(statuses).toEqual([200, 200, 403, 403])
  const other = await staffedOrganization(server.parts)
  const theirs = await call('GET', 'security-events', undefined, { token: other.tokens.owner })
  expect(theirs.body.data).toEqual({ events: [], nextCursor: null })
})

test('pages follow each other without gaps, and filters narrow them', async () => {
  for (const id of [1, 2, 3]) {
    await call('DELETE', `members/99999999${id}`)
    server.parts.clock.advance(1_000)
  }
  await call('DELETE', 'members/1', undefined, { token: staff.tokens.viewer })
  const all = await events()
  const first = (await call('GET', 'security-events?limit=3')).body.data
  const rest = (await call('GET', `security-events?limit=3&cursor=${first.nextCursor}`)).body.data
  expect([...first.events, ...rest.events]).toEqual(all)
  expect([all.length, rest.nextCursor]).toEqual([4, null])
  expect(await events('?type=access_denied')).toEqual([all[0]])
  expect(await events(`?actor=user:${staff.ids.owner}&code=NOT_FOUND&address=192.0.2.1`)).toEqual(all.slice(1))
  expect(await events(`?from=${all[1].at}`)).toEqual(all.slice(0, 2))
  expect(await events(`?to=${all[2].at}`)).toEqual(all.slice(3))
  expect((await call('GET', 'security-events?cursor=1')).status).toBe(400)
})
