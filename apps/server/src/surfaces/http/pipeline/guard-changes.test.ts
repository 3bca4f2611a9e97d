// Also tested elsewhere: the verbs behind it (changes/requests/random-change-sequences.test.ts).
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { CHANGE_SECRETS } from '../../../../testing/changes/change-secrets.ts'
import { PASSWORD } from '../../../../testing/identity/identity-fixture.ts'
import {
  type CoreRequest,
  type CoreServer,
  coreServer,
  staffedOrganization,
} from '../../../../testing/surfaces/core-server.ts'
import { auditLogRoutes } from '../../core/identity/audit/audit-log.ts'
import { apiKeyRoutes } from '../../core/identity/keys/api-keys.ts'
import { memberRoutes } from '../../core/identity/organization/members.ts'
import { authRoutes } from '../../core/identity/sessions/auth.ts'
import { changePolicyRoutes, changeRequestRoutes } from '../../core/index.ts'

let server: CoreServer
let staff: Awaited<ReturnType<typeof staffedOrganization>>
beforeAll(async () => {
  server = await coreServer((app, parts) => {
    authRoutes(app, parts)
    memberRoutes(app, parts)
    apiKeyRoutes(app, parts)
    auditLogRoutes(app, parts)
    changePolicyRoutes(app, { ...parts, ...CHANGE_SECRETS })
    changeRequestRoutes(app, { ...parts, ...CHANGE_SECRETS })
  })
})
afterAll(() => server?.close())
beforeEach(async () => {
  staff = await staffedOrganization(server.parts)
})

const ONE = { requiredApprovals: 1, coolingOffSeconds: 0 }
const setRules = (rules: object, more: CoreRequest = {}) =>
  server.call('PUT', '/api/core/change-policy', { token: staff.tokens.owner, body: { rules }, ...more })
const decide = (word: string, id: number, token: string) =>
  server.call('POST', `/api/core/change-requests/${id}/${word}`, { token })
const generate = (more: CoreRequest = {}) =>
  server.call('POST', '/api/core/apikeys/generate', { token: staff.tokens.admin, body: { name: 'A key' }, ...more })
const keys = async () => (await server.call('GET', '/api/core/apikeys', { token: staff.tokens.viewer })).body.data
const actions = async () => {
  const { body } = await server.call('GET', '/api/core/audit-log', { token: staff.tokens.owner })
  return body.data.entries.map(({ action }: { action: string }) => action).reverse()
}

test('without a rule, a change is made at once', async () => {
  expect(await generate()).toMatchObject({ status: 201 })
  expect(await keys()).toHaveLength(1)
})

test('under a rule, a change answers 202, and is made once it is approved and repeated', async () => {
  expect(await setRules({ keys: ONE })).toMatchObject({
    status: 200,
    body: { data: { version: 1, rules: { keys: ONE } } },
  })
  const asked = await generate()
  expect(asked).toMatchObject({
    status: 202,
    body: {
      success: true,
      data: {
        kind: 'keys',
        action: 'generateApiKey',
        summary: 'Generate an API key',
        request: { method: 'POST', path: '/api/core/apikeys/generate', body: { name: 'A key' } },
        status: 'requested',
        requestedBy: { type: 'user', id: staff.ids.admin },
        approvals: 0,
        requiredApprovals: 1,
        earliestAt: null,
      },
    },
  })
  expect(await keys()).toEqual([])
  const { id } = asked.body.data
  expect(await generate({ changeRequestId: id })).toMatchObject({
    status: 403,
    body: { code: 'FORBIDDEN', details: { reason: 'change_request_not_approved', approvals: 0, requiredApprovals: 1 } },
  })
  expect(await decide('approve', id, staff.tokens.approver)).toMatchObject({
    status: 200,
    body: { data: { status: 'approved', approvals: 1, decisions: [{ userId: staff.ids.approver, counts: true }] } },
  })
  expect(await keys()).toEqual([])
  const made = await generate({ changeRequestId: id })
  expect(made).toMatchObject({ status: 201, body: { data: { apiKey: expect.any(String) } } })
  expect(await generate({ changeRequestId: id })).toMatchObject({
    status: 409,
    body: { code: 'CONFLICT', details: { reason: 'change_request_completed' } },
  })
  expect(await keys()).toHaveLength(1)
  expect(await actions()).toEqual(
    expect.arrayContaining(['requestChange', 'approveChangeRequest', 'generateApiKey', 'completeChangeRequest']),
  )
  expect((await actions()).filter((action: string) => action === 'generateApiKey')).toHaveLength(1)
})

test('requests are listed by status, and read by every member', async () => {
  await setRules({ keys: ONE })
  const { id } = (await generate()).body.data
  const list = (query: string) =>
    server.call('GET', `/api/core/change-requests${query}`, { token: staff.tokens.viewer })
  expect((await list('')).body.data).toMatchObject({ changeRequests: [{ id }], pagination: { total: 1 } })
  expect((await list('?status=requested')).body.data.changeRequests).toHaveLength(1)
  expect((await list('?status=approved')).body.data.changeRequests).toEqual([])
  expect(await list('?status=other')).toMatchObject({ status: 400 })
  const one = await server.call('GET', `/api/core/change-requests/${id}`, { token: staff.tokens.viewer })
  expect(one.body.data).toMatchObject({ id, status: 'requested' })
})

test('approvers see no password, and the database holds none', async () => {
  await setRules({ members: ONE })
  const body = { email: 'new@acme.example', role: 'viewer', password: PASSWORD, note: 'approved by the board' }
  const asked = await server.call('POST', '/api/core/members', { token: staff.tokens.admin, body })
  expect(asked.body.data.request.body).toEqual({ email: 'new@acme.example', role: 'viewer', password: '********' })
  const { rows } = { rows: await server.parts.db.selectFrom('change_requests').selectAll().execute() }
  expect(JSON.stringify(rows)).not.toContain(PASSWORD)
})

test('a new name needs no approval; a role and the password of another do, and one’s own is refused at once', async () => {
  await setRules({ members: ONE })
  const change = (id: number, body: object) =>
    server.call('PATCH', `/api/core/members/${id}`, { token: staff.tokens.owner, body })
  expect((await change(staff.ids.viewer, { name: 'Vera' })).status).toBe(200)
  expect(await change(staff.ids.owner, { password: PASSWORD })).toMatchObject({
    status: 403,
    body: { code: 'FORBIDDEN', message: expect.stringContaining('current password') },
  })
  expect((await change(staff.ids.viewer, { role: 'approver' })).status).toBe(202)
  expect((await change(staff.ids.viewer, { password: PASSWORD })).status).toBe(202)
  expect((await change(staff.ids.viewer, { name: 'Vera', role: 'approver' })).status).toBe(202)
})

test('an idempotency key repeats the 202, and is refused for the completion', async () => {
  await setRules({ keys: ONE })
  const first = await generate({ idempotencyKey: 'once' })
  const again = await generate({ idempotencyKey: 'once' })
  expect(again).toMatchObject({ status: 202, body: { data: { id: first.body.data.id } } })
  expect(again.headers['idempotency-replayed']).toBe('true')
  const { id } = first.body.data
  await decide('approve', id, staff.tokens.approver)
  expect(await generate({ idempotencyKey: 'once', changeRequestId: id })).toMatchObject({
    status: 409,
    body: { code: 'IDEMPOTENCY_CONFLICT' },
  })
  const made = await generate({ idempotencyKey: 'complete', changeRequestId: id })
  expect(made.status).toBe(201)
  const replayed = await generate({ idempotencyKey: 'complete', changeRequestId: id })
  expect(replayed).toMatchObject({ status: 201, body: { data: { id: made.body.data.id, apiKey: null } } })
  expect(await keys()).toHaveLength(1)
})

test('a completion that is refused for now can be repeated with its idempotency key', async () => {
  await setRules({ keys: ONE })
  const { id } = (await generate()).body.data
  const complete = () => generate({ changeRequestId: id, idempotencyKey: 'complete' })
  expect((await complete()).status).toBe(403)
  await decide('approve', id, staff.tokens.approver)
  expect((await complete()).status).toBe(201)
})

test('lowering the policy needs the approvals that it demands', async () => {
  await setRules({ keys: ONE })
  const asked = await setRules({})
  expect(asked).toMatchObject({ status: 202, body: { data: { kind: 'change_policy', requiredApprovals: 1 } } })
  const { id } = asked.body.data
  await decide('approve', id, staff.tokens.admin)
  expect(await setRules({}, { changeRequestId: id })).toMatchObject({ status: 200, body: { data: { version: 2 } } })
  expect((await generate()).status).toBe(201)
})

test.each(['0', '-1', '1.5', 'x', '1, 2', '99999999999999999999', '0x1'])(
  'the header %o names no change request',
  async (changeRequestId) => {
    expect(await generate({ changeRequestId })).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_ERROR', details: { issues: [{ path: 'Change-Request-Id' }] } },
    })
    expect(await keys()).toEqual([])
  },
)
