import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type CoreServer, coreServer, staffedOrganization } from '../../../testing/surfaces/core-server.ts'
import { generateKey } from '../../identity/index.ts'
import { apiKeyRoutes } from './identity/keys/api-keys.ts'
import { walletProfileRoutes } from './identity/keys/wallet-profiles.ts'
import { memberRoutes } from './identity/organization/members.ts'
import { authRoutes } from './identity/sessions/auth.ts'

let server: CoreServer
let staff: Awaited<ReturnType<typeof staffedOrganization>>
beforeAll(async () => {
  server = await coreServer((app, parts) => {
    authRoutes(app, parts)
    memberRoutes(app, parts)
    apiKeyRoutes(app, parts)
    walletProfileRoutes(app, parts)
  })
  staff = await staffedOrganization(server.parts)
})
afterAll(() => server.close())

const ROLES = ['owner', 'admin', 'approver', 'viewer'] as const
const everyone: readonly string[] = ROLES
const admins: readonly string[] = ['owner', 'admin']
/** An id without a row: a route that admits the caller returns 404 and changes nothing. */
const NOBODY = 9_007_199_254_740_991

/** Every Bearer route of identity, the roles that may call it, and its response to them. */
const ROUTES = [
  ['GET', '/api/core/auth/me', { roles: everyone, status: 200, body: undefined }],
  ['GET', '/api/core/members', { roles: everyone, status: 200, body: undefined }],
  ['POST', '/api/core/members', { roles: admins, status: 400, body: {} }],
  ['PATCH', `/api/core/members/${NOBODY}`, { roles: admins, status: 404, body: { name: 'Nobody' } }],
  ['DELETE', `/api/core/members/${NOBODY}`, { roles: admins, status: 404, body: undefined }],
  ['GET', '/api/core/apikeys', { roles: everyone, status: 200, body: undefined }],
  ['POST', '/api/core/apikeys/generate', { roles: admins, status: 400, body: {} }],
  ['POST', `/api/core/apikeys/${NOBODY}/rotate`, { roles: admins, status: 404, body: {} }],
  ['DELETE', `/api/core/apikeys/${NOBODY}`, { roles: admins, status: 404, body: undefined }],
  ['GET', '/api/core/wallet-profiles', { roles: everyone, status: 200, body: undefined }],
  ['POST', '/api/core/wallet-profiles', { roles: admins, status: 400, body: {} }],
  ['GET', `/api/core/wallet-profiles/${NOBODY}`, { roles: everyone, status: 404, body: undefined }],
  ['PATCH', `/api/core/wallet-profiles/${NOBODY}`, { roles: admins, status: 404, body: { name: 'None' } }],
  ['DELETE', `/api/core/wallet-profiles/${NOBODY}`, { roles: admins, status: 404, body: undefined }],
] as const

describe.each(ROUTES)('%s %s', (method, url, { roles, status, body }) => {
  const call = (credential: { token?: string; key?: string }) =>
    server.call(method, url, { ...credential, ...(body === undefined ? {} : { body }) })

  test.each(ROLES)('responds to the role %s as specified', async (role) => {
    const answer = await call({ token: staff.tokens[role] })
    expect(answer.status).toBe(roles.some((allowed) => allowed === role) ? status : 403)
    if (answer.status === 403) expect(answer.body).toMatchObject({ code: 'FORBIDDEN', requestId: expect.any(String) })
  })

  test('accepts no API key, no other token, and no anonymous request', async () => {
    const { organizationId } = staff
    const { apiKey } = await generateKey(server.parts, { organizationId, name: 'Organization key' })
    for (const credential of [{}, { key: apiKey }, { token: apiKey }, { token: 'x.y.z' }]) {
      const answer = await call(credential)
      expect(answer.status).toBe(401)
      expect(answer.body).toMatchObject({ code: 'UNAUTHORIZED', message: expect.any(String) })
    }
  })
})

test.each(ROLES)('the role %s can log out, and only with a session', async (role) => {
  const { tokens } = await staffedOrganization(server.parts)
  const logOut = (token?: string) => server.call('POST', '/api/core/auth/logout', token === undefined ? {} : { token })
  expect((await logOut()).status).toBe(401)
  expect((await logOut(tokens[role])).status).toBe(200)
  expect((await logOut(tokens[role])).status).toBe(401)
})

test('a changed role, a removal and a log-out take effect with the next request', async () => {
  const { tokens, ids } = await staffedOrganization(server.parts)
  const list = (token: string) => server.call('POST', '/api/core/wallet-profiles', { token, body: { name: 'New' } })
  const change = (role: string) =>
    server.call('PATCH', `/api/core/members/${ids.viewer}`, { token: tokens.owner, body: { role } })
  expect((await list(tokens.viewer)).status).toBe(403)
  expect((await change('admin')).body.data).toMatchObject({ id: ids.viewer, role: 'admin' })
  expect((await list(tokens.viewer)).status).toBe(201)
  const removed = await server.call('DELETE', `/api/core/members/${ids.viewer}`, { token: tokens.admin })
  expect(removed).toMatchObject({ status: 200, body: { success: true, data: { deleted: true } } })
  expect((await list(tokens.viewer)).status).toBe(401)
  const out = await server.call('POST', '/api/core/auth/logout', { token: tokens.admin })
  expect(out).toMatchObject({ status: 200, body: { success: true, data: { loggedOut: true } } })
  expect((await list(tokens.admin)).status).toBe(401)
})

interface Described {
  readonly summary?: string
  readonly description?: string
  readonly $ref?: string
  readonly properties?: Record<string, Described>
}

test('every route of identity is described, with every field of its requests and responses', async () => {
  const { body } = await server.call('GET', '/openapi.json')
  const operations = Object.entries(body.paths as Record<string, Record<string, Described>>)
    .filter(([path]) => path.startsWith('/api/core/'))
    .flatMap(([, methods]) => Object.values(methods))
  expect(operations.length).toBeGreaterThanOrEqual(19)
  for (const operation of operations) {
    expect(operation.summary).toBeTruthy()
    expect(fieldsWithoutDescription(operation)).toEqual([])
  }
  const schemas = body.components.schemas as Record<string, Described>
  for (const name of ['Session', 'Account', 'Member', 'ApiKey', 'GeneratedApiKey', 'WalletProfile', 'Deleted']) {
    expect(fieldsWithoutDescription(schemas[name])).toEqual([])
    expect(schemas[name]?.description).toBeTruthy()
  }
})

/** The paths of all fields, at any depth, that have neither a description nor a reference to a described schema. */
function fieldsWithoutDescription(node: unknown, path = ''): string[] {
  if (typeof node !== 'object' || node === null) return []
  const fields = Object.entries((node as Described).properties ?? {})
  const silent = fields.filter(([name, field]) => name !== 'data' && !field.description && !field.$ref)
  return [
    ...silent.map(([name]) => `${path}.${name}`),
    ...Object.entries(node).flatMap(([name, child]) => fieldsWithoutDescription(child, `${path}.${name}`)),
  ]
}
