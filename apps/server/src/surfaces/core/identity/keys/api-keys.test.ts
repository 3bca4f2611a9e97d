import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type CoreServer, coreServer, staffedOrganization } from '../../../../../testing/surfaces/core-server.ts'
import { createProfile } from '../../../../identity/index.ts'
import { apiKeyRoutes } from './api-keys.ts'

let server: CoreServer
let staff: Awaited<ReturnType<typeof staffedOrganization>>
beforeAll(async () => {
  server = await coreServer(apiKeyRoutes)
})
afterAll(() => server.close())
beforeEach(async () => {
  staff = await staffedOrganization(server.parts)
})

const generate = (body: object, more: object = {}) =>
  server.call('POST', '/api/core/apikeys/generate', { token: staff.tokens.admin, body, ...more })
const list = (query = '') => server.call('GET', `/api/core/apikeys${query}`, { token: staff.tokens.viewer })
const validate = (key?: string) => server.call('POST', '/api/core/apikeys/validate', key === undefined ? {} : { key })

test('a key of each scope is shown once and works until it is deleted', async () => {
  const profile = await createProfile(server.parts, staff.organizationId, { name: 'Treasury' })
  const asked = [
    [{ name: 'Agent' }, 'organization', null],
    [{ name: 'App', walletProfileId: profile.id }, 'profile', profile.id],
    [{ name: 'Reports', isAdmin: true }, 'admin', null],
  ] as const
  for (const [body, scope, walletProfileId] of asked) {
    const generated = await generate(body)
    expect(generated.status).toBe(201)
    const { apiKey, ...shown } = generated.body.data
    expect(apiKey).toMatch(/^svc_sandbox_[0-9A-Za-z]{32,}$/)
    expect(shown).toEqual({
      id: expect.any(Number),
      name: body.name,
      scope,
      walletProfileId,
      keyPreview: `svc_sandbox_…${apiKey.slice(-4)}`,
      createdAt: '2026-01-01T00:00:00.000Z',
      createdBy: staff.ids.admin,
      permissions: null,
      allowedAddresses: null,
      expiresAt: null,
    })
    expect((await validate(apiKey)).body).toMatchObject({ success: true, data: { valid: true } })
    const listed = await list()
    expect(listed.body.data[0]).toEqual({
      ...shown,
      lastUsedAt: '2026-01-01T00:00:00.000Z',
      lastUsedAddress: '192.0.2.1',
    })
    expect(JSON.stringify(listed.body)).not.toContain(apiKey)
    const url = `/api/core/apikeys/${shown.id}`
    const deleted = await server.call('DELETE', url, { token: staff.tokens.admin })
    expect(deleted).toMatchObject({ status: 200, body: { success: true, data: { deleted: true } } })
    expect(await validate(apiKey)).toMatchObject({ status: 200, body: { success: true, data: { valid: false } } })
    const again = await server.call('DELETE', url, { token: staff.tokens.admin })
    expect(again).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
  }
  expect((await list()).body).toEqual({ success: true, data: [] })
})

test('validate reports an unknown key as invalid, and requires the header', async () => {
  expect(await validate('nonsense')).toMatchObject({ status: 200, body: { data: { valid: false } } })
  const live = `svc_live_${'a'.repeat(36)}`
  expect(await validate(live)).toMatchObject({ status: 200, body: { data: { valid: false } } })
  expect(await validate()).toMatchObject({ status: 401, body: { code: 'UNAUTHORIZED' } })
})

test('a page of the list reports the total', async () => {
  for (const name of ['One', 'Two', 'Three']) await generate({ name })
  expect((await list()).headers['x-total-count']).toBe('3')
  const part = await list('?limit=1&offset=1')
  expect(part.headers['x-total-count']).toBe('3')
  expect(part.body.data).toMatchObject([{ name: 'Two', lastUsedAt: null }])
  const beyond = await list('?limit=5&offset=9')
  expect(beyond).toMatchObject({ headers: { 'x-total-count': '3' }, body: { data: [] } })
})

test('a repetition with the idempotency key creates no second key and does not show the first again', async () => {
  const first = await generate({ name: 'Once' }, { idempotencyKey: 'generate-1' })
  const second = await generate({ name: 'Once' }, { idempotencyKey: 'generate-1' })
  expect(second).toMatchObject({ status: 201, headers: { 'idempotency-replayed': 'true' } })
  expect(second.body).toEqual({ success: true, data: { ...first.body.data, apiKey: null } })
  expect((await list()).body.data).toHaveLength(1)
  const stored = await server.parts.db.selectFrom('idempotency_keys').select('response_body').execute()
  expect(JSON.stringify(stored)).not.toContain(first.body.data.apiKey)
})

test('a malformed request, an unknown profile and two scopes at once create no key', async () => {
  const other = await staffedOrganization(server.parts)
  const profile = await createProfile(server.parts, staff.organizationId, { name: 'Own' })
  const strange = await createProfile(server.parts, other.organizationId, { name: 'Not ours' })
  const refused = [
    [{}, 400, 'VALIDATION_ERROR'],
    [{ name: '' }, 400, 'VALIDATION_ERROR'],
    [{ name: 'x'.repeat(201) }, 400, 'VALIDATION_ERROR'],
    [{ name: 5 }, 400, 'VALIDATION_ERROR'],
    [{ name: 'Key', isAdmin: 'yes' }, 400, 'VALIDATION_ERROR'],
    [{ name: 'Key', walletProfileId: '1' }, 400, 'VALIDATION_ERROR'],
    [{ name: 'Key', walletProfileId: profile.id, isAdmin: true }, 400, 'VALIDATION_ERROR'],
    [{ name: 'Key', permissions: ['write'] }, 400, 'VALIDATION_ERROR'],
    [{ name: 'Key', permissions: [] }, 400, 'VALIDATION_ERROR'],
    [{ name: 'Key', permissions: ['agent', 'read'] }, 400, 'VALIDATION_ERROR'],
    [{ name: 'Key', isAdmin: true, permissions: ['plan'] }, 400, 'VALIDATION_ERROR'],
    [{ name: 'Key', allowedAddresses: ['10.0.0.0/33'] }, 400, 'VALIDATION_ERROR'],
    [{ name: 'Key', allowedAddresses: [] }, 400, 'VALIDATION_ERROR'],
    [{ name: 'Key', expiresAt: '2025-12-31T23:59:59.999Z' }, 400, 'VALIDATION_ERROR'],
    [{ name: 'Key', expiresAt: 'tomorrow' }, 400, 'VALIDATION_ERROR'],
    [{ name: 'Key', walletProfileId: strange.id }, 404, 'NOT_FOUND'],
    [{ name: 'Key', walletProfileId: 9_007_199_254_740_991 }, 404, 'NOT_FOUND'],
  ] as const
  for (const [body, status, code] of refused) {
    expect(await generate(body)).toMatchObject({ status, body: { code } })
  }
  expect((await list()).body.data).toEqual([])
})

test('a key of another organization can neither be seen nor deleted', async () => {
  const { data: key } = (await generate({ name: 'Ours' })).body
  const other = await staffedOrganization(server.parts)
  const seen = await server.call('GET', '/api/core/apikeys', { token: other.tokens.owner })
  expect(seen.body.data).toEqual([])
  const deleted = await server.call('DELETE', `/api/core/apikeys/${key.id}`, { token: other.tokens.owner })
  expect(deleted).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
  expect((await validate(key.apiKey)).body.data.valid).toBe(true)
})

test('a limited key shows its rights, and validate tells its holder what it may do', async () => {
  const body = {
    name: 'Agent',
    permissions: ['agent'],
    allowedAddresses: ['192.0.2.0/24', '2001:db8::1'],
    expiresAt: '2026-06-01T00:00:00.000Z',
  }
  const { apiKey, ...shown } = (await generate(body)).body.data
  expect(shown).toMatchObject({ ...body, allowedAddresses: ['192.0.2.0/24', '2001:db8::1/128'] })
  expect((await validate(apiKey)).body.data).toEqual({
    valid: true,
    message: 'The API key is valid.',
    scope: 'organization',
    permissions: ['agent'],
  })
  const outside = await server.call('POST', '/api/core/apikeys/validate', { key: apiKey, address: '198.51.100.1' })
  expect(outside.body.data).toEqual({ valid: false, message: 'The API key may not be used from this address.' })
  const all = (await generate({ name: 'Reports', isAdmin: true })).body.data
  expect((await validate(all.apiKey)).body.data.permissions).toEqual(['read', 'ramp'])
})

test('a rotated key is replaced by one with the same rights, and expires after the overlap', async () => {
  const old = (await generate({ name: 'Server', permissions: ['read'] })).body.data
  const url = `/api/core/apikeys/${old.id}/rotate`
  const rotate = (body: object, more: object = {}) =>
    server.call('POST', url, { token: staff.tokens.admin, body, ...more })
  expect(await rotate({ overlapSeconds: 30 * 86_400 + 1 })).toMatchObject({ status: 400 })
  const rotated = await rotate({}, { idempotencyKey: 'rotate-1' })
  expect(rotated).toMatchObject({
    status: 201,
    body: { data: { name: 'Server', permissions: ['read'], createdBy: staff.ids.admin, expiresAt: null } },
  })
  const replayed = await rotate({}, { idempotencyKey: 'rotate-1' })
  expect(replayed.body.data).toEqual({ ...rotated.body.data, apiKey: null })
  const now = server.parts.clock.now().getTime()
  expect((await list()).body.data).toMatchObject([
    { id: rotated.body.data.id, expiresAt: null },
    { id: old.id, expiresAt: new Date(now + 86_400_000).toISOString() },
  ])
  expect(await rotate({})).toMatchObject({ status: 409, body: { code: 'CONFLICT' } })
  const other = await staffedOrganization(server.parts)
  const foreign = await server.call('POST', url, { token: other.tokens.owner, body: {} })
  expect(foreign).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
})

test('an expiry that no response could show is refused, and the list of keys goes on', async () => {
  const refused = await generate({ name: 'Late', expiresAt: '9999-12-31T23:59:59-15:00' })
  expect(refused).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } })
  expect((await generate({ name: 'Last', expiresAt: '9999-12-31T23:59:59Z' })).status).toBe(201)
  expect((await list()).status).toBe(200)
})

test('the list is filtered by name, by the last characters of the key, and by scope', async () => {
  const profile = await createProfile(server.parts, staff.organizationId, { name: 'Treasury' })
  const payroll = (await generate({ name: 'The payroll' })).body.data
  await generate({ name: 'Payroll of May', walletProfileId: profile.id })
  await generate({ name: 'Reports', isAdmin: true })
  const find = async (query: string) => {
    const { body, headers } = await list(query)
    return [headers['x-total-count'], body.data?.map(({ name }: { name: string }) => name)]
  }
  expect(await find('?q=PAY&limit=1')).toEqual(['2', ['Payroll of May']])
  expect(await find('?q=roll')).toEqual(['0', []])
  expect(await find(`?q=${payroll.apiKey.slice(-4)}`)).toEqual(['1', ['The payroll']])
  expect(await find(`?q=${encodeURIComponent(payroll.keyPreview)}`)).toEqual(['1', ['The payroll']])
  expect(await find('?scope=ADMIN')).toEqual(['1', ['Reports']])
  expect(await find('?scope=profile&q=pay')).toEqual(['1', ['Payroll of May']])
  for (const query of ['?scope=all', '?q='])
    expect(await list(query)).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } })
})
