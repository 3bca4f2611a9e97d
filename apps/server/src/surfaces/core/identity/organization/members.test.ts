import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { PASSWORD } from '../../../../../testing/identity/identity-fixture.ts'
import { type CoreServer, coreServer, staffedOrganization } from '../../../../../testing/surfaces/core-server.ts'
import { authRoutes } from '../sessions/auth.ts'
import { memberRoutes } from './members.ts'

let server: CoreServer
let staff: Awaited<ReturnType<typeof staffedOrganization>>
beforeAll(async () => {
  server = await coreServer((app, parts) => {
    authRoutes(app, parts)
    memberRoutes(app, parts)
  })
})
afterAll(() => server.close())
beforeEach(async () => {
  staff = await staffedOrganization(server.parts)
})

type Method = Parameters<CoreServer['call']>[0]
const asOwner = (method: Method, id: number | string, body?: unknown) =>
  server.call(method, `/api/core/members/${id}`, { token: staff.tokens.owner, body })
const add = (body: object, token = staff.tokens.owner, more: object = {}) =>
  server.call('POST', '/api/core/members', { token, body, ...more })
const newMember = (email: string, role = 'viewer') => ({ email, role, password: PASSWORD })

test('an added member is returned with 201, can log in, and is listed', async () => {
  const added = await add({ ...newMember('Grace@Example.com', 'approver'), name: 'Grace' })
  expect(added.status).toBe(201)
  const { data: member } = added.body
  expect(member).toEqual({
    id: expect.any(Number),
    email: 'grace@example.com',
    name: 'Grace',
    role: 'approver',
    createdAt: '2026-01-01T00:00:00.000Z',
    emailVerified: false,
  })
  const login = await server.call('POST', '/api/core/auth/login', {
    body: { email: 'grace@example.com', password: PASSWORD },
  })
  expect(login).toMatchObject({ status: 200, body: { data: { user: { id: member.id, role: 'approver' } } } })
  const list = await server.call('GET', '/api/core/members', { token: staff.tokens.viewer })
  expect(list.headers['x-total-count']).toBe('5')
  expect(list.body.data[0]).toEqual(member)
  const part = await server.call('GET', '/api/core/members?limit=2&offset=3', { token: staff.tokens.viewer })
  expect(part.headers['x-total-count']).toBe('5')
  expect(part.body.data).toEqual(list.body.data.slice(3))
})

test('an admin cannot create, change or remove an owner', async () => {
  const { admin } = staff.tokens
  expect(await add(newMember('o@acme.example', 'owner'), admin)).toMatchObject({
    status: 403,
    body: { code: 'FORBIDDEN' },
  })
  const url = (id: number) => `/api/core/members/${id}`
  const attempts = [
    await server.call('PATCH', url(staff.ids.viewer), { token: admin, body: { role: 'owner' } }),
    await server.call('PATCH', url(staff.ids.owner), { token: admin, body: { role: 'viewer' } }),
    await server.call('DELETE', url(staff.ids.owner), { token: admin }),
  ]
  expect(attempts.map(({ status }) => status)).toEqual([403, 403, 403])
  const viewer = await server.call('PATCH', url(staff.ids.viewer), { token: admin, body: { role: 'approver' } })
  expect(viewer).toMatchObject({ status: 200, body: { data: { role: 'approver' } } })
})

test('the last owner stays an owner', async () => {
  const conflict = { status: 409, body: { code: 'CONFLICT' } }
  expect(await asOwner('PATCH', staff.ids.owner, { role: 'admin' })).toMatchObject(conflict)
  expect(await asOwner('DELETE', staff.ids.owner)).toMatchObject(conflict)
  expect((await asOwner('PATCH', staff.ids.admin, { role: 'owner' })).status).toBe(200)
  expect((await asOwner('DELETE', staff.ids.owner)).status).toBe(200)
})

test('an email address in use is a conflict, whichever organization uses it', async () => {
  const other = await staffedOrganization(server.parts)
  expect(await add(newMember(other.email))).toMatchObject({ status: 409, body: { code: 'CONFLICT' } })
})

test('a member of another organization looks like an unknown id', async () => {
  const other = await staffedOrganization(server.parts)
  for (const id of [other.ids.viewer, 9_007_199_254_740_991]) {
    for (const answer of [await asOwner('PATCH', id, { name: 'Mine' }), await asOwner('DELETE', id)]) {
      expect({ ...answer.body, requestId: '' }).toEqual({
        code: 'NOT_FOUND',
        message: 'The member does not exist.',
        requestId: '',
      })
    }
  }
})

test('an addition repeated with its idempotency key happens once', async () => {
  const send = () => add(newMember('repeat@acme.example'), staff.tokens.owner, { idempotencyKey: 'add-1' })
  const first = await send()
  const second = await send()
  expect(second).toMatchObject({ status: 201, headers: { 'idempotency-replayed': 'true' } })
  expect(second.body).toEqual(first.body)
})

describe('a malformed request is rejected with the field that is wrong', () => {
  const good = newMember('new@acme.example')
  test.each([
    ['email', { ...good, email: 'nobody' }],
    ['role', { ...good, role: 'king' }],
    ['role', { ...good, role: undefined }],
    ['password', { ...good, password: 'short' }],
    ['name', { ...good, name: '' }],
  ])('POST: %s', async (field, body) => {
    const answer = await add(body)
    expect(answer).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } })
    expect(answer.body.details.issues[0].path).toBe(field)
  })

  test.each([
    ['role', { role: 'king' }],
    ['password', { password: 'short' }],
    ['name', { name: 7 }],
  ])('PATCH: %s', async (field, body) => {
    const answer = await asOwner('PATCH', staff.ids.viewer, body)
    expect(answer).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } })
    expect(answer.body.details.issues[0].path).toContain(field)
  })

  test.each(['0', '-1', '1.5', 'abc', '9007199254740993'])('the id %s', async (id) => {
    expect(await asOwner('DELETE', id)).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } })
  })

  test.each(['limit=0', 'limit=101', 'limit=ten', 'offset=-1'])('GET: %s', async (query) => {
    const answer = await server.call('GET', `/api/core/members?${query}`, { token: staff.tokens.viewer })
    expect(answer).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } })
  })
})

test('the list is filtered by text and role; a role that does not exist is refused', async () => {
  await add({ ...newMember('hopper@example.com', 'approver'), name: 'Grace Hopper' })
  const find = async (query: string) => {
    const { body, headers } = await server.call('GET', `/api/core/members?${query}`, { token: staff.tokens.viewer })
    return [headers['x-total-count'], body.data?.map(({ email }: { email: string }) => email)]
  }
  expect(await find('q=Hop')).toEqual(['1', ['hopper@example.com']])
  expect((await find('role=APPROVER'))[0]).toBe('2')
  expect(await find('role=approver&q=hopper@')).toEqual(['1', ['hopper@example.com']])
  expect(await find('role=owner&q=grace')).toEqual(['0', []])
  for (const query of ['role=king', 'q=']) {
    const refused = await server.call('GET', `/api/core/members?${query}`, { token: staff.tokens.viewer })
    expect(refused).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } })
  }
})
