import { afterAll, beforeAll, expect, test } from 'vitest'
import { PASSWORD } from '../../../../../testing/identity/identity-fixture.ts'
import { type CoreServer, coreServer, staffedOrganization } from '../../../../../testing/surfaces/core-server.ts'
import { generateKey } from '../../../../identity/index.ts'
import { apiKeyRoutes } from '../keys/api-keys.ts'
import { authRoutes } from '../sessions/auth.ts'
import { organizationRoutes } from './organization.ts'

let server: CoreServer
beforeAll(async () => {
  server = await coreServer((app, parts) => {
    authRoutes(app, parts)
    apiKeyRoutes(app, parts)
    organizationRoutes(app, parts)
  })
})
afterAll(() => server.close())

const remove = (token: string, body?: unknown) =>
  server.call('DELETE', '/api/core/organization', { token, ...(body === undefined ? {} : { body }) })
const nameOf = async (organizationId: number) =>
  (await server.parts.db
    .selectFrom('organizations')
    .select('name')
    .where('id', '=', organizationId)
    .executeTakeFirst())!.name

test('only an owner can delete an organization, and only with its exact name', async () => {
  const { organizationId, tokens } = await staffedOrganization(server.parts)
  const name = await nameOf(organizationId)
  for (const role of ['admin', 'approver', 'viewer'] as const) {
    expect(await remove(tokens[role], { name })).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } })
  }
  for (const body of [undefined, {}, { name: '' }, { name: name.toLowerCase() }, { name: `${name} ` }, { name: 5 }]) {
    expect(await remove(tokens.owner, body)).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } })
  }
  expect((await server.call('GET', '/api/core/auth/me', { token: tokens.viewer })).status).toBe(200)
})

test('sessions, logins, refreshes and keys of a deleted organization stop working', async () => {
  const { organizationId, tokens, email, owner, refreshToken } = await staffedOrganization(server.parts)
  const { apiKey } = await generateKey(server.parts, { organizationId: owner.organizationId, name: 'A key' })
  const { parts } = server
  const deleted = await remove(tokens.owner, { name: await nameOf(organizationId) })
  expect(deleted).toMatchObject({ status: 200, body: { success: true, data: { deleted: true } } })

  for (const token of Object.values(tokens)) {
    expect(await server.call('GET', '/api/core/auth/me', { token })).toMatchObject({
      status: 401,
      body: { code: 'UNAUTHORIZED' },
    })
  }
  const post = (path: string, body: unknown) => server.call('POST', `/api/core/${path}`, { body })
  const unknown = await post('auth/login', { email: 'nobody@acme.example', password: PASSWORD })
  const known = await post('auth/login', { email, password: PASSWORD })
  expect({ ...known.body, requestId: '' }).toEqual({ ...unknown.body, requestId: '' })
  expect((await post('auth/refresh', { refreshToken })).status).toBe(401)
  const validity = await server.call('POST', '/api/core/apikeys/validate', { key: apiKey })
  expect(validity.body.data).toMatchObject({ valid: false, message: expect.stringContaining('no longer exists') })
  // Auditors keep the old rows; the person may return with an organization of a new name.
  const rows = await parts.db.selectFrom('users').select('id').where('organization_id', '=', organizationId).execute()
  expect(rows).toHaveLength(4)
  const again = await post('auth/register', { email, password: PASSWORD, organizationName: 'Another' })
  expect(again.status).toBe(201)
})
