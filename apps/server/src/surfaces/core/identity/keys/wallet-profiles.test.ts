import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type CoreServer, coreServer, staffedOrganization } from '../../../../../testing/surfaces/core-server.ts'
import { authenticateKey, generateKey } from '../../../../identity/index.ts'
import { walletProfileRoutes } from './wallet-profiles.ts'

let server: CoreServer
let staff: Awaited<ReturnType<typeof staffedOrganization>>
beforeAll(async () => {
  server = await coreServer(walletProfileRoutes)
})
afterAll(() => server.close())
beforeEach(async () => {
  staff = await staffedOrganization(server.parts)
})

const base = '/api/core/wallet-profiles'
const create = (body: object, more: object = {}) =>
  server.call('POST', base, { token: staff.tokens.admin, body, ...more })
const one = (method: 'GET' | 'PATCH' | 'DELETE', id: number | string, body?: unknown, token = staff.tokens.admin) =>
  server.call(method, `${base}/${id}`, { token, body })

test('a profile is created with its defaults, read, changed, listed and deleted', async () => {
  const created = await create({ name: 'Treasury' })
  expect(created.status).toBe(201)
  const { data: profile } = created.body
  expect(profile).toEqual({
    id: expect.any(Number),
    name: 'Treasury',
    enabledChains: ['solana', 'polygon', 'ethereum', 'base'],
    operationTimeoutSeconds: 120,
    isDefault: false,
    createdAt: '2026-01-01T00:00:00.000Z',
  })
  expect((await one('GET', profile.id)).body).toEqual({ success: true, data: profile })
  const changes = { name: 'Payroll', enabledChains: ['base'], operationTimeoutSeconds: 3_600 }
  expect(await one('PATCH', profile.id, changes)).toMatchObject({
    status: 200,
    body: { data: { ...profile, ...changes } },
  })
  const list = await server.call('GET', base, { token: staff.tokens.viewer })
  expect(list.headers['x-total-count']).toBe('2')
  expect(list.body.data).toMatchObject([{ name: 'Payroll' }, { name: 'default', isDefault: true }])
  expect(await one('DELETE', profile.id)).toMatchObject({ status: 200, body: { data: { deleted: true } } })
  expect(await one('GET', profile.id)).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
})

test('deleting a profile revokes its keys', async () => {
  const { data: profile } = (await create({ name: 'Short-lived' })).body
  const { organizationId } = staff
  const key = await generateKey(server.parts, { organizationId, name: 'Key', walletProfileId: profile.id })
  expect((await one('DELETE', profile.id)).status).toBe(200)
  expect(await authenticateKey(server.parts, key.apiKey)).toEqual({ status: 'revoked', key: expect.anything() })
})

test('the default profile and a profile with wallets cannot be deleted', async () => {
  const conflict = { status: 409, body: { code: 'CONFLICT' } }
  const list = await server.call('GET', base, { token: staff.tokens.viewer })
  expect(await one('DELETE', list.body.data[0].id)).toMatchObject(conflict)
  const { data: profile } = (await create({ name: 'In use' })).body
  const wallet = { blockchain: 'base', address: '0x00000000000000000000000000000000000000AA', created_at: new Date(0) }
  await server.parts.db
    .insertInto('wallets')
    .values({ ...wallet, organization_id: staff.organizationId, wallet_profile_id: profile.id })
    .execute()
  expect(await one('DELETE', profile.id)).toMatchObject(conflict)
})

test('a profile of another organization looks like an unknown id', async () => {
  const { data: profile } = (await create({ name: 'Ours' })).body
  const { tokens } = await staffedOrganization(server.parts)
  for (const id of [profile.id, 9_007_199_254_740_991]) {
    const answers = [
      await one('GET', id, undefined, tokens.owner),
      await one('PATCH', id, { name: 'Theirs' }, tokens.owner),
      await one('DELETE', id, undefined, tokens.owner),
    ]
    for (const { status, body } of answers) {
      expect(status).toBe(404)
      expect(body).toMatchObject({ code: 'NOT_FOUND', message: 'The wallet profile does not exist.' })
    }
  }
  expect((await one('GET', profile.id)).body.data.name).toBe('Ours')
})

test('a creation repeated with its idempotency key happens once', async () => {
  const first = await create({ name: 'Once' }, { idempotencyKey: 'create-1' })
  const second = await create({ name: 'Once' }, { idempotencyKey: 'create-1' })
  expect(second).toMatchObject({ status: 201, headers: { 'idempotency-replayed': 'true' } })
  expect(second.body).toEqual(first.body)
})

describe('a malformed request is rejected', () => {
  test.each([
    { name: '' },
    { name: ' ' },
    { name: 'New', enabledChains: [] },
    { name: 'New', enabledChains: ['arbitrum'] },
    { name: 'New', enabledChains: ['BASE'] },
    { name: 'New', enabledChains: 'base' },
    { name: 'New', operationTimeoutSeconds: 29 },
    { name: 'New', operationTimeoutSeconds: 3_601 },
    { name: 'New', operationTimeoutSeconds: 60.5 },
    { name: 'New', operationTimeoutSeconds: '60' },
  ])('%j', async (body) => {
    expect(await create(body)).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } })
    const { data: profile } = (await create({ name: 'Good' })).body
    expect(await one('PATCH', profile.id, body)).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } })
    expect((await one('GET', profile.id)).body.data).toEqual(profile)
  })

  test('without a name', async () => {
    expect(await create({})).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } })
  })
})
