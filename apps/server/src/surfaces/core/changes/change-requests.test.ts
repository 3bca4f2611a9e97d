// Also tested elsewhere: what decisions do to a change request (surfaces/http/pipeline/guard-changes.test.ts), and which
// approvals count (changes/requests/approve-change-request.test.ts).
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { CHANGE_SECRETS } from '../../../../testing/changes/change-secrets.ts'
import { type CoreServer, coreServer, staffedOrganization } from '../../../../testing/surfaces/core-server.ts'
import { refusal } from '../../../../testing/surfaces/use-treasury.ts'
import { auditLogRoutes } from '../identity/audit/audit-log.ts'
import { apiKeyRoutes } from '../identity/keys/api-keys.ts'
import { changePolicyRoutes } from './change-policy.ts'
import { changeRequestRoutes } from './change-requests.ts'

let server: CoreServer
let staff: Awaited<ReturnType<typeof staffedOrganization>>
beforeAll(async () => {
  server = await coreServer((app, parts) => {
    apiKeyRoutes(app, parts)
    auditLogRoutes(app, parts)
    changePolicyRoutes(app, { ...parts, ...CHANGE_SECRETS })
    changeRequestRoutes(app, { ...parts, ...CHANGE_SECRETS })
  })
})
afterAll(() => server?.close())
beforeEach(async () => {
  staff = await staffedOrganization(server.parts)
  const rules = { keys: { requiredApprovals: 2, coolingOffSeconds: 0 } }
  const token = staff.tokens.owner
  expect((await server.call('PUT', '/api/core/change-policy', { token, body: { rules } })).status).toBe(200)
})

type Decider = 'owner' | 'admin' | 'approver'
type Word = 'approve' | 'reject'
interface Said {
  readonly body?: object
  readonly idempotencyKey?: string
}

const EXPLANATION = {
  reason: 'Payroll moves to its own key.',
  link: 'https://tickets.example/8',
  fileSha256: 'ab'.repeat(32),
}

/** A key that the admin wants, which two others must approve. */
async function request(): Promise<string> {
  const body = { name: 'Payroll' }
  const asked = await server.call('POST', '/api/core/apikeys/generate', { token: staff.tokens.admin, body })
  expect(asked.status).toBe(202)
  return `/api/core/change-requests/${asked.body.data.id}`
}
const decide = (path: string, word: Word, by: Decider, said: Said = {}) =>
  server.call('POST', `${path}/${word}`, { token: staff.tokens[by], ...said })
const decisions = async (path: string) =>
  (await server.call('GET', path, { token: staff.tokens.viewer })).body.data.decisions
async function audited(action: string) {
  const { body } = await server.call('GET', `/api/core/audit-log?action=${action}`, { token: staff.tokens.owner })
  return body.data.entries.map(({ details }: { details: object }) => details)
}

test('decisions take a reason, a link and the hash of a file, which the request and the audit log show', async () => {
  const path = await request()
  const approved = await decide(path, 'approve', 'approver', { body: EXPLANATION })
  expect(approved).toMatchObject({ status: 200, body: { data: { status: 'requested' } } })
  const approval = {
    userId: staff.ids.approver,
    email: expect.stringContaining('approver'),
    decision: 'approve',
    counts: true,
    ...EXPLANATION,
    at: expect.any(String),
  }
  expect(approved.body.data.decisions).toEqual([approval])
  const what = { kind: 'keys', action: 'generateApiKey' }
  expect(await audited('approveChangeRequest')).toEqual([{ status: 'requested', ...what, ...EXPLANATION }])
  server.parts.clock.advance(1_000)
  const rejection = { reason: 'One key is enough.' }
  expect((await decide(path, 'reject', 'owner', { body: rejection })).status).toBe(200)
  const rejected = { decision: 'reject', counts: true, ...rejection, at: expect.any(String) }
  expect(await decisions(path)).toEqual([approval, { userId: staff.ids.owner, email: staff.email, ...rejected }])
  expect(await audited('rejectChangeRequest')).toEqual([{ ...what, ...rejection }])
})

test.each(['approve', 'reject'] as const)('%s without a body, or with an empty one, explains nothing', async (word) => {
  for (const said of [{}, { body: {} }]) {
    const path = await request()
    expect((await decide(path, word, 'approver', said)).status).toBe(200)
    const [decision] = await decisions(path)
    expect(Object.keys(decision)).toEqual(['userId', 'email', 'decision', 'counts', 'at'])
  }
})

test('another reason replaces the one that was given before, and no reason keeps it', async () => {
  const path = await request()
  for (const body of [EXPLANATION, { reason: 'Ticket 9.' }, {}]) await decide(path, 'approve', 'approver', { body })
  const [decision, ...more] = await decisions(path)
  expect(more).toEqual([])
  expect(decision).toMatchObject({ decision: 'approve', reason: 'Ticket 9.' })
  expect(decision).not.toHaveProperty('link')
})

test.each(['approve', 'reject'] as const)(
  '%s with the same Idempotency-Key and another reason is a conflict, and the first reason stays',
  async (word) => {
    const path = await request()
    const send = (reason: string) =>
      decide(path, word, 'approver', { body: { reason }, idempotencyKey: `${word} ${path}` })
    const first = await send('Ticket 7.')
    expect(first.status).toBe(200)
    expect(await send('Ticket 8.')).toMatchObject({
      status: 409,
      body: { code: 'IDEMPOTENCY_CONFLICT', details: { reason: 'different_request' } },
    })
    const again = await send('Ticket 7.')
    expect(again.headers['idempotency-replayed']).toBe('true')
    expect(again.body).toEqual(first.body)
    expect(await decisions(path)).toMatchObject([{ reason: 'Ticket 7.' }])
  },
)

test.each([
  ['an empty reason', { reason: '' }],
  ['a reason that is too long', { reason: 'x'.repeat(1_001) }],
  ['a link without TLS', { link: 'http://files.example/1' }],
  ['a link that is a script', { link: 'javascript:alert(1)' }],
  ['a link with a space', { link: 'https://files.example/a b' }],
  ['a hash in upper case', { fileSha256: 'AB'.repeat(32) }],
  ['a hash that is too short', { fileSha256: 'ab' }],
])('a decision with %s is refused, and none is recorded', async (_, body) => {
  const path = await request()
  for (const word of ['approve', 'reject'] as const)
    expect(await decide(path, word, 'approver', { body })).toMatchObject(refusal(400, 'VALIDATION_ERROR'))
  expect(await decisions(path)).toEqual([])
})
