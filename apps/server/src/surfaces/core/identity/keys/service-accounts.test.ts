import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type CoreServer, coreServer, staffedOrganization } from '../../../../../testing/surfaces/core-server.ts'
import { auditLogRoutes } from '../audit/audit-log.ts'
import { securityEventRoutes } from '../audit/security-events.ts'
import { authRoutes } from '../sessions/auth.ts'
import { stepUpRoutes } from '../sessions/step-up.ts'
import { apiKeyRoutes } from './api-keys.ts'
import { serviceAccountRoutes } from './service-accounts.ts'
import { walletProfileRoutes } from './wallet-profiles.ts'

let server: CoreServer
let staff: Awaited<ReturnType<typeof staffedOrganization>>
beforeAll(async () => {
  server = await coreServer((app, parts) => {
    for (const routes of [apiKeyRoutes, authRoutes, auditLogRoutes, securityEventRoutes]) routes(app, parts)
    for (const routes of [serviceAccountRoutes, stepUpRoutes, walletProfileRoutes]) routes(app, parts)
  })
})
afterAll(() => server.close())
beforeEach(async () => {
  staff = await staffedOrganization(server.parts)
})

const ACCOUNTS = '/api/core/service-accounts'
const create = (body: object = {}, more: object = {}) =>
  server.call('POST', ACCOUNTS, {
    token: staff.tokens.admin,
    body: { name: 'Nightly sync', role: 'admin', ...body },
    ...more,
  })
const created = async (body: object = {}) => (await create(body)).body.data
const rotate = (id: number, body: object = {}, more: object = {}) =>
  server.call('POST', `${ACCOUNTS}/${id}/rotate`, { token: staff.tokens.admin, body, ...more })
/** A read that service accounts may make. */
const read = (secret: string, more: object = {}) =>
  server.call('GET', '/api/core/wallet-profiles', { token: secret, ...more })

test('an account is shown with its secret once, and works until it is deleted', async () => {
  const made = await create({ allowedAddresses: ['192.0.2.0/24'] })
  expect(made.status).toBe(201)
  const { secret, ...shown } = made.body.data
  expect(secret).toMatch(/^sa_sandbox_[0-9A-Za-z]{36}$/)
  const preview = `sa_sandbox_…${secret.slice(-4)}`
  expect(shown).toEqual({
    id: expect.any(Number),
    name: 'Nightly sync',
    role: 'admin',
    allowedAddresses: ['192.0.2.0/24'],
    createdAt: '2026-01-01T00:00:00.000Z',
    createdBy: staff.ids.admin,
    secrets: [
      {
        preview,
        createdAt: '2026-01-01T00:00:00.000Z',
        createdBy: staff.ids.admin,
        expiresAt: null,
        lastUsedAt: null,
        lastUsedAddress: null,
      },
    ],
  })
  expect((await read(secret)).status).toBe(200)
  const listed = await server.call('GET', ACCOUNTS, { token: staff.tokens.viewer })
  expect(listed.headers['x-total-count']).toBe('1')
  expect(listed.body.data[0]).toMatchObject({
    id: shown.id,
    secrets: [{ preview, lastUsedAt: '2026-01-01T00:00:00.000Z', lastUsedAddress: '192.0.2.1' }],
  })
  expect(JSON.stringify(listed.body)).not.toContain(secret)
  const url = `${ACCOUNTS}/${shown.id}`
  expect((await server.call('GET', url, { token: staff.tokens.viewer })).body.data).toEqual(listed.body.data[0])
  expect((await server.call('DELETE', url, { token: staff.tokens.admin })).status).toBe(200)
  expect(await read(secret)).toMatchObject({ status: 401, body: { code: 'UNAUTHORIZED' } })
  for (const method of ['GET', 'DELETE'] as const)
    expect((await server.call(method, url, { token: staff.tokens.admin })).status).toBe(404)
  expect((await rotate(shown.id)).status).toBe(404)
})

test('an account reads itself, and a member or another account does not', async () => {
  const [{ id, secret }, other] = [await created(), await created({ name: 'Auditor', role: 'viewer' })]
  const own = (token: string) => server.call('GET', `${ACCOUNTS}/own`, { token })
  const { status, body } = await own(secret)
  expect([status, body.data.id, body.data.role]).toEqual([200, id, 'admin'])
  expect(JSON.stringify(body)).not.toContain(secret)
  expect((await own(other.secret)).body.data).toMatchObject({ id: other.id, role: 'viewer' })
  expect(await own(staff.tokens.owner)).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
})

test('a repetition with the idempotency key creates no second account and does not show the secret again', async () => {
  const first = await create({}, { idempotencyKey: 'account-1' })
  const second = await create({}, { idempotencyKey: 'account-1' })
  expect(second).toMatchObject({ status: 201, headers: { 'idempotency-replayed': 'true' } })
  expect(second.body.data).toEqual({ ...first.body.data, secret: null })
})

test('a malformed request creates no account', async () => {
  const refused = [
    { name: '' },
    { role: 'owner' },
    { role: 'approver' },
    { allowedAddresses: [] },
    { allowedAddresses: ['10.0.0.0/33'] },
    { expiresAt: '2025-12-31T23:59:59.999Z' },
  ]
  for (const body of refused)
    expect(await create(body), JSON.stringify(body)).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } })
  expect((await server.call('GET', ACCOUNTS, { token: staff.tokens.viewer })).body.data).toEqual([])
})

test('two secrets work during the overlap, and no earlier one without', async () => {
  const old = await created()
  const rotated = await rotate(old.id, { overlapSeconds: 60 }, { idempotencyKey: 'rotate-1' })
  expect(rotated).toMatchObject({ status: 201, body: { data: { id: old.id, name: 'Nightly sync' } } })
  const next = rotated.body.data.secret
  expect((await rotate(old.id, { overlapSeconds: 60 }, { idempotencyKey: 'rotate-1' })).body.data.secret).toBeNull()
  expect([(await read(old.secret)).status, (await read(next)).status]).toEqual([200, 200])
  const early = await rotate(old.id, { overlapSeconds: 60 })
  expect(early).toMatchObject({ status: 409, body: { details: { reason: 'earlier_secret_works' } } })
  const last = (await rotate(old.id, { overlapSeconds: 0 })).body.data
  expect(last.secrets).toHaveLength(1)
  const statuses = []
  for (const secret of [old.secret, next, last.secret]) statuses.push((await read(secret)).status)
  expect(statuses).toEqual([401, 401, 200])
})

test('a secret is refused once it has expired, and the rotation gives one with the same lifetime', async () => {
  const { parts } = server
  const expiresAt = new Date(parts.clock.now().getTime() + 600_000).toISOString()
  const account = await created({ expiresAt })
  parts.clock.advance(600_000)
  expect(await read(account.secret)).toMatchObject({ status: 401, body: { code: 'UNAUTHORIZED' } })
  const listed = await server.call('GET', ACCOUNTS, { token: staff.tokens.viewer })
  expect(listed.body.data).toMatchObject([{ id: account.id, secrets: [] }])
  const next = (await rotate(account.id)).body.data
  expect(next.secrets).toMatchObject([{ expiresAt: new Date(parts.clock.now().getTime() + 600_000).toISOString() }])
  expect((await read(next.secret)).status).toBe(200)
})

test('routes that need a person refuse a service account, and say so', async () => {
  const { secret, id } = await created()
  const asked = [
    ['GET', '/api/core/auth/me'],
    ['POST', '/api/core/auth/step-up/options'],
    ['POST', '/api/core/auth/logout'],
    ['GET', '/api/core/audit-log'],
    ['GET', '/api/core/apikeys'],
    ['POST', '/api/core/apikeys/generate'],
    ['GET', ACCOUNTS],
    ['POST', ACCOUNTS],
    ['POST', `${ACCOUNTS}/${id}/rotate`],
    ['DELETE', `${ACCOUNTS}/${id}`],
    ['POST', '/api/core/wallet-profiles'],
  ] as const
  for (const [method, url] of asked) {
    const { status, body } = await server.call(method, url, {
      token: secret,
      ...(method === 'POST' && { body: { name: 'Another', role: 'admin' } }),
    })
    expect([status, body.code, body.details?.reason], `${method} ${url}`).toEqual([403, 'FORBIDDEN', 'person_required'])
  }
  const events = await server.call('GET', '/api/core/security-events?actor=service_account', {
    token: staff.tokens.admin,
  })
  expect(JSON.stringify(events.body)).toContain('person_required')
})

test('a secret is no key, and a key is no secret', async () => {
  const { secret } = await created()
  const { data: key } = (
    await server.call('POST', '/api/core/apikeys/generate', { token: staff.tokens.admin, body: { name: 'Key' } })
  ).body
  expect(await server.call('GET', '/api/core/wallet-profiles', { key: secret })).toMatchObject({ status: 401 })
  const validated = await server.call('POST', '/api/core/apikeys/validate', { key: secret })
  expect(validated.body.data.valid).toBe(false)
  for (const token of [key.apiKey, secret.replace('sa_sandbox_', 'sa_live_'), secret.slice(0, -1), `${secret}A`])
    expect(await read(token), token).toMatchObject({ status: 401, body: { code: 'UNAUTHORIZED' } })
  const refreshed = await server.call('POST', '/api/core/auth/refresh', { body: { refreshToken: secret } })
  expect(refreshed.status).toBe(401)
})

test('an account works from its networks only', async () => {
  const { secret } = await created({ allowedAddresses: ['198.51.100.0/24'] })
  expect(await read(secret)).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } })
  expect((await read(secret, { address: '198.51.100.7' })).status).toBe(200)
})

test('another organization neither sees, rotates nor deletes an account', async () => {
  const { id, secret } = await created()
  const { tokens } = await staffedOrganization(server.parts)
  expect((await server.call('GET', ACCOUNTS, { token: tokens.owner })).body.data).toEqual([])
  const url = `${ACCOUNTS}/${id}`
  expect((await server.call('GET', url, { token: tokens.owner })).status).toBe(404)
  expect((await server.call('DELETE', url, { token: tokens.owner })).status).toBe(404)
  expect((await server.call('POST', `${url}/rotate`, { token: tokens.owner, body: {} })).status).toBe(404)
  expect((await read(secret)).status).toBe(200)
})

test('only owners and admins create, rotate and delete accounts, and no longer once they are demoted', async () => {
  const { id } = await created()
  for (const token of [staff.tokens.viewer, staff.tokens.approver]) {
    expect((await create({}, { token })).status).toBe(403)
    expect((await rotate(id, {}, { token })).status).toBe(403)
    expect((await server.call('DELETE', `${ACCOUNTS}/${id}`, { token })).status).toBe(403)
  }
  await server.parts.db.updateTable('users').set({ role: 'viewer' }).where('id', '=', staff.ids.admin).execute()
  expect((await rotate(id)).status).toBe(403)
})
