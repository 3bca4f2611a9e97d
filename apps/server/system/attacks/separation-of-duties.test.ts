// Attacks on the separation of duties: each says what was tried and what came back, and that nothing changed.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type HttpClient, type Refusal, withKey, withToken } from '../clients/client.ts'
import {
  type DutiesService,
  PASSWORD,
  type Staff,
  startDutiesService,
} from '../clients/separation-of-duties-fixture.ts'

interface Answer {
  readonly data: { readonly id: number; readonly apiKey: string; readonly status: string; readonly enforced: boolean }
}

const ONE = { requiredApprovals: 1, coolingOffSeconds: 0 }
const HOUR = { requiredApprovals: 1, coolingOffSeconds: 3_600 }

let service: DutiesService
let us: Staff
let parts: DutiesService['parts']
let changes: DutiesService['changes']
let as: DutiesService['as']
let expectRefused: DutiesService['expectRefused']

beforeAll(async () => {
  service = await startDutiesService()
  ;({ parts, changes, as, expectRefused } = service)
})
afterAll(() => service?.stop())

beforeEach(async () => {
  us = await service.staffed()
  await changes.drain()
})

const setRules = async (rules: object, staff = us) => {
  const set = await staff.people.owner.request('PUT', '/api/core/change-policy', { body: { rules } })
  expect(set.status).toBe(200)
  await changes.drain()
}
const MEMBER = () => ({ email: `new${us.number}@acme.example`, role: 'approver', password: PASSWORD })
const withRequest = (id: number | string) => ({ headers: { 'change-request-id': String(id) } })
const addMember = (who: HttpClient, body: object = MEMBER(), how: object = {}) =>
  who.post<Answer & Refusal>('/api/core/members', body, how)
const decide = (who: HttpClient, word: string, id: number) =>
  who.post<Answer & Refusal>(`/api/core/change-requests/${id}/${word}`)

/** A change request of the admin, of the owner's rule, with its approvals. */
async function requested(...approvers: HttpClient[]): Promise<number> {
  const { status, body } = await addMember(us.people.admin)
  expect(status).toBe(202)
  for (const approver of approvers) expect((await decide(approver, 'approve', body.data.id)).status).toBe(200)
  await changes.drain()
  return body.data.id
}

test('an admin approves a change that the same admin requested: 403, it stays unapproved', async () => {
  await setRules({ members: ONE })
  const id = await requested()
  await expectRefused(decide(us.people.admin, 'approve', id), 403, 'own_change_request')
  await expectRefused(addMember(us.people.admin, MEMBER(), withRequest(id)), 403, 'change_request_not_approved')
})

test('an owner of another organization approves, reads, rejects and completes it: 404 each time', async () => {
  const them = await service.staffed()
  await setRules({ members: ONE })
  const id = await requested()
  const { owner } = them.people
  for (const word of ['approve', 'reject', 'cancel']) await expectRefused(decide(owner, word, id), 404)
  await expectRefused(owner.get(`/api/core/change-requests/${id}`), 404)
  await decide(us.people.approver, 'approve', id)
  await changes.drain()
  await expectRefused(addMember(owner, MEMBER(), withRequest(id)), 404)
})

test('a viewer approves and rejects it: 403', async () => {
  await setRules({ members: ONE })
  const id = await requested()
  await expectRefused(decide(us.people.viewer, 'approve', id), 403)
  await expectRefused(decide(us.people.viewer, 'reject', id), 403)
})

test('an API key approves it: 401', async () => {
  await setRules({ members: ONE })
  const id = await requested()
  await expectRefused(decide(us.key, 'approve', id), 401)
})

test.each([
  ['a stronger role', { role: 'admin' }],
  ['another address', { email: 'mallory@evil.example' }],
  ['another password', { password: 'another horse battery' }],
  ['an additional field', { name: 'Mallory' }],
  ['an unknown field', { unknown: 1 }],
])('the requester completes an approved change with %s: 409, nobody is added', async (_what, more) => {
  await setRules({ members: ONE })
  const id = await requested(us.people.approver)
  await expectRefused(
    addMember(us.people.admin, { ...MEMBER(), ...more }, withRequest(id)),
    409,
    'change_request_mismatch',
  )
})

test('an approved change is completed at another route of its kind: 409', async () => {
  await setRules({ members: ONE, keys: ONE })
  const id = await requested(us.people.approver)
  const { admin } = us.people
  const how = withRequest(id)
  await expectRefused(
    admin.request('DELETE', `/api/core/members/${us.ids.second}`, how),
    409,
    'change_request_mismatch',
  )
  await expectRefused(admin.post('/api/core/apikeys/generate', { name: 'mine' }, how), 409, 'change_request_mismatch')
})

test('a completed change is repeated: 409, one member is added', async () => {
  await setRules({ members: ONE })
  const id = await requested(us.people.approver)
  expect((await addMember(us.people.admin, MEMBER(), withRequest(id))).status).toBe(201)
  await changes.drain()
  await expectRefused(addMember(us.people.admin, MEMBER(), withRequest(id)), 409, 'change_request_completed')
})

test('five completions at once: one member is added, four are refused with 409', async () => {
  await setRules({ members: ONE })
  const id = await requested(us.people.approver)
  const answers = await Promise.all([1, 2, 3, 4, 5].map(() => addMember(us.people.admin, MEMBER(), withRequest(id))))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409, 409])
})

test('somebody else completes an approved change with the same body: 403', async () => {
  await setRules({ members: ONE })
  const id = await requested(us.people.approver)
  await expectRefused(addMember(us.people.owner, MEMBER(), withRequest(id)), 403, 'change_request_of_another')
})

test('a change is completed one second before it has cooled off: 403', async () => {
  await setRules({ members: HOUR })
  const id = await requested(us.people.approver)
  service.clock.advance(3_599_000)
  await expectRefused(addMember(us.people.admin, MEMBER(), withRequest(id)), 403, 'change_request_cooling_off')
})

test.each([
  ['demoted', { role: 'viewer' as const }],
  ['removed', { removed_at: new Date() }],
])('the approver is %s before the completion: 403, the approval no longer counts', async (_what, lost) => {
  await setRules({ members: ONE })
  const id = await requested(us.people.approver)
  await parts.db.updateTable('users').set(lost).where('id', '=', us.ids.approver).execute()
  await changes.drain()
  await expectRefused(addMember(us.people.admin, MEMBER(), withRequest(id)), 403, 'change_request_not_approved')
})

test('the requester is removed and added again with the same address: the new member completes nothing', async () => {
  await setRules({ members: ONE })
  const id = await requested(us.people.approver)
  await parts.db.updateTable('users').set({ removed_at: new Date() }).where('id', '=', us.ids.admin).execute()
  const again = { email: `admin${us.number}@acme.example`, role: 'admin', password: PASSWORD }
  await changes.drain()
  const added = await us.people.owner.post<Answer>('/api/core/members', again)
  expect(added.status).toBe(202)
  await decide(us.people.second, 'approve', added.body.data.id)
  expect((await addMember(us.people.owner, again, withRequest(added.body.data.id))).status).toBe(201)
  await parts.db
    .updateTable('users')
    .set({ password_change_required: false })
    .where('email', '=', again.email)
    .execute()
  const login = await as({}).post<{ data: { accessToken: string } }>('/api/core/auth/login', again)
  await changes.drain()
  const reborn = as(withToken(login.body.data.accessToken))
  await expectRefused(addMember(reborn, MEMBER(), withRequest(id)), 403, 'change_request_of_another')
  await expectRefused(decide(reborn, 'cancel', id), 403)
})

test('an admin sets rules that would bind the owner for a month, and lowers them: 403, the rules stay', async () => {
  const month = { requiredApprovals: 1, coolingOffSeconds: 30 * 86_400 }
  const put = (body: object) => us.people.admin.request<Refusal>('PUT', '/api/core/change-policy', { body })
  await expectRefused(put({ rules: { members: month } }), 403)
  await setRules({ members: ONE })
  await expectRefused(put({ rules: {} }), 403)
  expect((await addMember(us.people.admin)).status).toBe(202)
})

test('an owner demands more approvals than there are others, to lock everybody out: 409', async () => {
  const rules = { members: { requiredApprovals: 5, coolingOffSeconds: 0 } }
  await expectRefused(
    us.people.owner.request('PUT', '/api/core/change-policy', { body: { rules } }),
    409,
    'too_few_approvers',
  )
})

test('an admin removes and demotes approvers until nobody could approve: 409', async () => {
  await setRules({ keys: { requiredApprovals: 3, coolingOffSeconds: 0 } })
  const { admin } = us.people
  await expectRefused(admin.request('DELETE', `/api/core/members/${us.ids.approver}`), 409, 'too_few_approvers')
  await expectRefused(
    admin.request('PATCH', `/api/core/members/${us.ids.approver}`, { body: { role: 'viewer' } }),
    409,
    'too_few_approvers',
  )
})

test('an admin sets the password of an approver to approve as them: the reset itself needs approval', async () => {
  await setRules({ members: ONE })
  const body = { password: 'chosen by the admin' }
  const reset = await us.people.admin.request('PATCH', `/api/core/members/${us.ids.approver}`, { body })
  expect(reset.status).toBe(202)
  const login = { email: `approver${us.number}@acme.example`, password: body.password }
  expect((await as({}).post('/api/core/auth/login', login)).status).toBe(401)
})

test('without a rule for members, a reset or added approver still approves nothing for a day: 403', async () => {
  await setRules({ keys: ONE })
  const made = await us.people.admin.post<Answer>('/api/core/apikeys/generate', { name: 'mine' })
  const puppet = MEMBER()
  await addMember(us.people.admin, puppet)
  await parts.db
    .updateTable('users')
    .set({ password_change_required: false })
    .where('email', '=', puppet.email)
    .execute()
  const login = await as({}).post<{ data: { accessToken: string } }>('/api/core/auth/login', puppet)
  await changes.drain()
  await expectRefused(decide(as(withToken(login.body.data.accessToken)), 'approve', made.body.data.id), 403)
})

test('an admin makes a viewer an approver of their own request: the viewer approves nothing for a day: 403', async () => {
  await setRules({ keys: ONE })
  const { admin, viewer } = us.people
  const made = await admin.post<Answer>('/api/core/apikeys/generate', { name: 'mine' })
  const promoted = await admin.request('PATCH', `/api/core/members/${us.ids.viewer}`, { body: { role: 'approver' } })
  expect(promoted.status).toBe(200)
  await changes.drain()
  await expectRefused(decide(viewer, 'approve', made.body.data.id), 403)
})

test('an admin opens a payout account with a key, then approves it in person: 403 both times', async () => {
  await setRules({ payout_accounts: ONE })
  const recipient = { name: 'Mallory' }
  const asked = await us.key.post<Refusal>('/v1/ramp/recipients', recipient)
  expect([asked.status, asked.body.details?.reason]).toEqual([403, 'change_request_required'])
  const id = Number(asked.body.details?.changeRequestId)
  await changes.drain()
  await expectRefused(decide(us.people.admin, 'approve', id), 403, 'own_change_request')
  expect((await decide(us.people.approver, 'approve', id)).status).toBe(200)
  expect((await us.key.post('/v1/ramp/recipients', recipient, withRequest(id))).status).toBe(201)
})

test('another key of the organization completes what one key requested: 403', async () => {
  const other = await us.people.owner.post<Answer>('/api/core/apikeys/generate', { name: 'other' })
  await setRules({ payout_accounts: ONE })
  const asked = await us.key.post<Refusal>('/v1/ramp/recipients', { name: 'Mallory' })
  const id = Number(asked.body.details?.changeRequestId)
  await decide(us.people.approver, 'approve', id)
  await changes.drain()
  const thief = as(withKey(other.body.data.apiKey))
  await expectRefused(
    thief.post('/v1/ramp/recipients', { name: 'Mallory' }, withRequest(id)),
    403,
    'change_request_of_another',
  )
})

test('a 202 is replayed by its idempotency key as if it were the completion: 409', async () => {
  await setRules({ members: ONE })
  const key = { 'idempotency-key': 'once' }
  const { body } = await addMember(us.people.admin, MEMBER(), { headers: key })
  await decide(us.people.approver, 'approve', body.data.id)
  await changes.drain()
  const how = { headers: { ...key, ...withRequest(body.data.id).headers } }
  await expectRefused(addMember(us.people.admin, MEMBER(), how), 409)
})

test.each(['0', '-1', '1e3', 'null', '1; drop table users', '%31'])(
  'the header Change-Request-Id: %s names nothing: 400',
  async (header) => {
    await setRules({ members: ONE })
    await expectRefused(addMember(us.people.admin, MEMBER(), withRequest(header)), 400)
  },
)

test('requests are repeated to fill the database: the same request is one change request, at most 20 are open of a member', async () => {
  await setRules({ members: ONE })
  const ids = new Set<number>()
  for (let sent = 0; sent < 5; sent += 1) ids.add((await addMember(us.people.admin)).body.data.id)
  expect(ids.size).toBe(1)
  for (let sent = 1; sent < 20; sent += 1)
    await addMember(us.people.admin, { ...MEMBER(), email: `flood${sent}@evil.example` })
  await changes.drain()
  await expectRefused(
    addMember(us.people.admin, { ...MEMBER(), email: 'one-more@evil.example' }),
    409,
    'too_many_change_requests',
  )
})

test('the password of a requested member is searched in responses and in the database: it is nowhere', async () => {
  await setRules({ members: ONE })
  const secret = 'a password that nobody may read'
  const { body } = await addMember(us.people.admin, { ...MEMBER(), password: secret })
  const read = await us.people.viewer.get(`/api/core/change-requests/${body.data.id}`)
  expect(read.text).toContain('********')
  expect(read.text).not.toContain(secret)
  const rows = await parts.db.selectFrom('change_requests').selectAll().execute()
  expect(rows.some(({ content }) => content.includes(secret) || content.includes('acme.example'))).toBe(false)
})

test('an approver stops an approved change while it cools off: the requester then gets 409', async () => {
  await setRules({ webhooks: { requiredApprovals: 1, coolingOffSeconds: 600 } })
  const webhook = { url: 'http://127.0.0.1:9/collect', events: ['*'] }
  const asked = await us.people.admin.post<Answer>('/api/core/webhooks', webhook)
  expect(asked.status).toBe(202)
  const { id } = asked.body.data
  await decide(us.people.second, 'approve', id)
  await decide(us.people.approver, 'reject', id)
  service.clock.advance(600_000)
  await changes.drain()
  await expectRefused(
    us.people.admin.post('/api/core/webhooks', webhook, withRequest(id)),
    409,
    'change_request_rejected',
  )
})

test('a weak approval policy that was approved is kept for later, after a stricter one: 409', async () => {
  await setRules({ approval_policy: ONE })
  const policy = (requiredApprovals: number) => ({ mode: 'manual', rules: [], default: 'approve', requiredApprovals })
  const put = (body: object, how: object = {}) =>
    us.people.admin.request<Answer & Refusal>('PUT', '/api/core/approval-policy', { body, ...how })
  const weak = (await put(policy(1))).body.data.id
  const strict = (await put(policy(2))).body.data.id
  for (const id of [weak, strict]) await decide(us.people.approver, 'approve', id)
  expect((await put(policy(2), withRequest(strict))).status).toBe(200)
  await changes.drain()
  await expectRefused(put(policy(1), withRequest(weak)), 409, 'change_request_cancelled')
})
