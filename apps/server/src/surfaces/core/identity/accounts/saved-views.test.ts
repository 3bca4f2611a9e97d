import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type CoreServer, coreServer, staffedOrganization } from '../../../../../testing/surfaces/core-server.ts'
import { auditLogRoutes } from '../audit/audit-log.ts'
import { savedViewRoutes } from './saved-views.ts'

let server: CoreServer
let staff: Awaited<ReturnType<typeof staffedOrganization>>
beforeAll(async () => {
  server = await coreServer((app, parts) => {
    auditLogRoutes(app, parts)
    savedViewRoutes(app, parts)
  })
})
afterAll(() => server.close())
beforeEach(async () => {
  staff = await staffedOrganization(server.parts)
})

type Role = keyof typeof staff.tokens
const VIEWS = '/api/core/saved-views'
const call = (role: Role, method: Parameters<CoreServer['call']>[0], path = '', more: object = {}) =>
  server.call(method, VIEWS + path, { token: staff.tokens[role], ...more })
const failed = { name: 'Failed payouts', path: '/app/operations', query: 'tab=history&status=FAILED' }
const save = (role: Role, body: object = {}, more: object = {}) =>
  call(role, 'POST', '', { body: { ...failed, ...body }, ...more })

test('every role keeps views of their own, shares them, and takes them back', async () => {
  for (const role of ['owner', 'admin', 'approver', 'viewer'] as const) {
    const made = await save(role)
    expect(made.status).toBe(201)
    expect(made.body.data).toEqual({
      ...failed,
      id: expect.any(Number),
      shared: false,
      createdBy: staff.ids[role],
      createdAt: '2026-01-01T00:00:00.000Z',
      updatedAt: '2026-01-01T00:00:00.000Z',
    })
    const own = await call(role, 'GET')
    expect(own.headers['x-total-count']).toBe('1')
    expect(own.body.data).toEqual([made.body.data])
    const path = `/${made.body.data.id}`
    const shared = await call(role, 'PATCH', path, { body: { shared: true } })
    expect(shared).toMatchObject({ status: 200, body: { data: { ...failed, shared: true } } })
    expect((await call('viewer', 'GET', '?path=/app/operations')).body.data).toContainEqual(shared.body.data)
    expect((await call('viewer', 'GET', '?path=/app/wallets')).body.data).toEqual([])
    expect(await call(role, 'DELETE', path)).toMatchObject({ status: 200 })
  }
})

test('a list is read page by page, newest first', async () => {
  for (const name of ['First', 'Second', 'Third']) await save('viewer', { name })
  const { body, headers } = await call('viewer', 'GET', '?limit=2&offset=1&path=/app/operations')
  expect(body.data).toMatchObject([{ name: 'Second' }, { name: 'First' }])
  expect(headers['x-total-count']).toBe('3')
})

test('a repeated request with the same idempotency key saves one view', async () => {
  const first = await save('owner', {}, { idempotencyKey: 'once' })
  expect(await save('owner', {}, { idempotencyKey: 'once' })).toMatchObject({ status: 201, body: first.body })
  expect(await save('owner')).toMatchObject({ status: 409, body: { code: 'CONFLICT' } })
})

test('a change that a member may not make is refused with the reason', async () => {
  const { id } = (await save('admin', { shared: true })).body.data
  const hidden = (await save('viewer', { name: 'Hidden' })).body.data.id
  expect(await call('owner', 'PATCH', `/${id}`, { body: { name: 'X' } })).toMatchObject({ status: 403 })
  expect(await call('approver', 'DELETE', `/${id}`)).toMatchObject({ status: 403 })
  expect(await call('owner', 'PATCH', `/${hidden}`, { body: { name: 'X' } })).toMatchObject({ status: 404 })
  expect(await call('owner', 'DELETE', `/${hidden}`)).toMatchObject({ status: 404 })
  expect(await save('owner', { path: 'https://elsewhere.example' })).toMatchObject({
    status: 400,
    body: { code: 'VALIDATION_ERROR' },
  })
})

test('the audit log says who made, changed and deleted a view, and of which page, but neither name nor filters', async () => {
  const { id } = (await save('viewer')).body.data
  await call('viewer', 'PATCH', `/${id}`, { body: { shared: true, name: 'Everybody’s' } })
  await call('admin', 'DELETE', `/${id}`)
  const { body } = await server.call('GET', '/api/core/audit-log', { token: staff.tokens.owner })
  const entries = (body.data.entries as { action: string; object: object; actor: { id: number }; details: object }[])
    .filter(({ action }) => action.endsWith('SavedView'))
    .map(({ action, object, actor, details }) => [action, object, actor.id, details])
    .reverse()
  const object = expect.objectContaining({ type: 'saved_view', id })
  expect(entries).toEqual([
    ['createSavedView', object, staff.ids.viewer, { path: '/app/operations', shared: false }],
    ['changeSavedView', object, staff.ids.viewer, { path: '/app/operations', shared: true }],
    ['deleteSavedView', object, staff.ids.admin, null],
  ])
})
