// Also holds: http/records/record-key-request.ts (what is recorded of a request), identity/keys/list-key-requests.ts.

import { sql } from 'kysely'
import Type from 'typebox'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type CoreServer, coreServer, staffedOrganization } from '../../../../../testing/surfaces/core-server.ts'
import { createServiceAccount, generateKey } from '../../../../identity/index.ts'
import { Failure } from '../../../../kernel/index.ts'
import { keyRequestRoutes } from './key-requests.ts'

let server: CoreServer
let staff: Awaited<ReturnType<typeof staffedOrganization>>
beforeAll(async () => {
  server = await coreServer((app, parts) => {
    keyRequestRoutes(app, parts)
    const access = { surface: 'core', roles: ['owner', 'admin', 'approver', 'viewer'] } as const
    const config = { access: { ...access, key: 'read', serviceAccounts: true }, limit: 'core' } as const
    const params = Type.Object({ id: Type.Integer(), externalId: Type.String(), token: Type.String() })
    const body = Type.Object({ name: Type.String() })
    app.post('/api/core/pay/:id/:externalId/:token', { config, schema: { params, body } }, async () => ({ paid: true }))
    app.get('/api/core/poll', { config }, async (request) => {
      request.foundNothing = true
      return {}
    })
    app.get('/api/core/refuse', { config }, async () => {
      throw new Failure('CONFLICT')
    })
  })
})
afterAll(() => server.close())
beforeEach(async () => {
  staff = await staffedOrganization(server.parts)
})

const requests = async (query = '', token = staff.tokens.viewer) => {
  const { body, headers } = await server.call('GET', `/api/core/apikeys/requests${query}`, { token })
  return { items: body.data, total: headers['x-total-count'] }
}
const key = async (name = 'Payroll') =>
  generateKey(server.parts, { organizationId: staff.organizationId, createdBy: staff.ids.admin, name })
const pay = (apiKey: string) =>
  server.call('POST', '/api/core/pay/7/900123456/USDC?note=secret-note', { key: apiKey, body: { name: 'Granite' } })

test('a request of a key is listed with its response, and nothing of what it sent but ids', async () => {
  const { apiKey, id } = await key()
  const sent = await pay(apiKey!)
  const { items, total } = await requests()
  expect(total).toBe('1')
  expect(items).toEqual([
    {
      id: expect.any(Number),
      at: '2026-01-01T00:00:00.000Z',
      actor: { type: 'key', id, name: 'Payroll' },
      requestId: sent.headers['x-request-id'],
      method: 'POST',
      route: '/api/core/pay/:id/:externalId/:token',
      path: '/api/core/pay/7/:externalId/:token',
      status: 200,
      code: null,
      durationMs: expect.any(Number),
    },
  ])
  const { rows } = await sql<{ row: string }>`select sent::text as row from key_requests sent`.execute(server.parts.db)
  for (const secret of [apiKey!, 'Granite', 'secret-note', '900123456', 'USDC'])
    expect(rows.map(({ row }) => row).join('\n')).not.toContain(secret)
})

test('failures have their code; the list is filtered by key, outcome, method and route, and read by id', async () => {
  const [one, other] = [await key(), await key('Other')]
  const account = await createServiceAccount(server.parts, {
    organizationId: staff.organizationId,
    createdBy: staff.ids.owner,
    name: 'Sync',
    role: 'viewer',
  })
  await pay(one.apiKey!)
  await server.call('GET', '/api/core/refuse', { key: other.apiKey! })
  await server.call('GET', '/api/core/refuse', { token: account.secret! })
  const named = async (query: string) =>
    (await requests(query)).items.map(({ actor, code }: { actor: object; code: string | null }) => ({ ...actor, code }))
  const sync = { type: 'service_account', id: account.id, name: 'Sync', code: 'CONFLICT' }
  const payroll = { type: 'key', id: one.id, name: 'Payroll', code: null }
  const second = { type: 'key', id: other.id, name: 'Other', code: 'CONFLICT' }
  expect(await named('')).toEqual([sync, second, payroll])
  expect(await named(`?keyId=${one.id}`)).toEqual([payroll])
  expect(await named(`?serviceAccountId=${account.id}`)).toEqual([sync])
  expect(await named('?status=FAILED')).toEqual([sync, second])
  expect(await named('?status=ok')).toEqual([payroll])
  expect(await named('?method=post')).toEqual([payroll])
  expect(await named('?route=/api/core/refuse&limit=1')).toEqual([sync])
  const newest = (await requests('?limit=1')).items[0].id
  expect(await named(`?before=${newest}&limit=1`)).toEqual([second])
  expect((await requests(`?before=${newest}`)).total).toBe('3')
  const both = await server.call('GET', '/api/core/apikeys/requests?keyId=1&serviceAccountId=1', {
    token: staff.tokens.viewer,
  })
  expect(both).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } })
})

test('people, strangers and polls without work leave no entry, and other organizations see none', async () => {
  const { apiKey } = await key()
  await server.call('GET', '/api/core/refuse', { key: 'svc_sandbox_unknown' })
  await server.call('GET', '/api/core/refuse', { token: staff.tokens.owner })
  await server.call('GET', '/api/core/poll', { key: apiKey! })
  expect((await requests()).items).toEqual([])
  await pay(apiKey!)
  expect((await requests()).items).toHaveLength(1)
  expect((await requests('', (await staffedOrganization(server.parts)).tokens.owner)).items).toEqual([])
})

test('every page streams in one response', async () => {
  const { apiKey } = await key()
  for (let each = 1; each <= 101; each += 1) await server.call('GET', '/api/core/refuse', { key: apiKey! })
  const answer = await server.app.inject({
    url: '/api/core/apikeys/requests',
    headers: { accept: 'application/x-ndjson', authorization: `Bearer ${staff.tokens.viewer}` },
  })
  const pages = answer.body
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).data as { id: number }[])
  const ids = pages.flat().map(({ id }) => id)
  expect(pages.length).toBeGreaterThan(1)
  expect(new Set(ids).size).toBe(101)
  expect(ids).toEqual([...ids].sort((a, b) => b - a))
})
