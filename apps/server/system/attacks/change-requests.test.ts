// Attacks on requests for changes by timing: races, and members whose roles change between the steps. Each says what was
// tried and what came back. Also tried: system/attacks/separation-of-duties.test.ts.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type HttpClient, type HttpResponse, type Refusal, withKey, withToken } from '../clients/client.ts'
import {
  type DutiesService,
  PASSWORD,
  type Staff,
  startDutiesService,
} from '../clients/separation-of-duties-fixture.ts'

interface Answer {
  readonly data: { readonly id: number; readonly state: string }
}
type Sent = Promise<HttpResponse<Answer & Refusal>>

const TWO = { requiredApprovals: 2, coolingOffSeconds: 0 }
const ONE = { requiredApprovals: 1, coolingOffSeconds: 0 }

let service: DutiesService
let us: Staff
beforeAll(async () => {
  service = await startDutiesService()
})
afterAll(() => service?.stop())
beforeEach(async () => {
  us = await service.staffed()
})

const MEMBER = () => ({ email: `new${us.number}@acme.example`, role: 'viewer', password: PASSWORD })
const setRule = async (members: object) => {
  const body = { rules: { members } }
  expect((await us.people.owner.request('PUT', '/api/core/change-policy', { body })).status).toBe(200)
}
const ask = async (): Promise<number> => {
  const asked = await us.people.admin.post<Answer>('/api/core/members', MEMBER())
  expect(asked.status).toBe(202)
  return asked.body.data.id
}
const decide = (who: HttpClient, word: 'approve' | 'reject' | 'cancel', id: number): Sent =>
  who.post(`/api/core/change-requests/${id}/${word}`)
const complete = (id: number | string, body: object = MEMBER(), who = us.people.admin): Sent =>
  who.post('/api/core/members', body, { headers: { 'change-request-id': String(id) } })
const stateOf = async (id: number) =>
  (await us.people.owner.get<Answer & { data: { status: string } }>(`/api/core/change-requests/${id}`)).body.data.status
/** Whether the change was made. */
const isAdded = async () => {
  const { email } = MEMBER()
  const found = await service.parts.db.selectFrom('users').select('id').where('email', '=', email).execute()
  return found.length === 1
}
/** A role set in the database, because the rule under attack would hold the change up itself. */
const setRole = (userId: number, role: 'viewer' | 'approver' | 'admin') =>
  service.parts.db.updateTable('users').set({ role }).where('id', '=', userId).execute()
const refused = async (sent: Sent, status: number, reason?: string) => {
  await service.changes.drain()
  await service.expectRefused(sent, status, reason)
}

test('one approver approves twenty times at once where two must: it counts once', async () => {
  await setRule(TWO)
  const id = await ask()
  await Promise.all(Array.from({ length: 20 }, () => decide(us.people.approver, 'approve', id)))
  await refused(complete(id), 403, 'change_request_not_approved')
})

test('the requester cancels and completes at once, ten times: each change is made and completed, or neither', async () => {
  await setRule(ONE)
  const outcomes = new Set<string>()
  for (let turn = 0; turn < 10; turn += 1) {
    us = await service.staffed()
    await setRule(ONE)
    const id = await ask()
    await decide(us.people.approver, 'approve', id)
    const both = [() => complete(id), () => decide(us.people.admin, 'cancel', id)]
    const sent = (turn % 2 === 0 ? both : both.toReversed()).map((send) => send())
    expect((await Promise.all(sent)).map(({ status }) => status).toSorted()[1]).toBe(409)
    const outcome = `${await stateOf(id)}, added: ${await isAdded()}`
    expect(['completed, added: true', 'cancelled, added: false']).toContain(outcome)
    outcomes.add(outcome)
  }
  expect(outcomes.size).toBeGreaterThan(0)
})

test('an approver rejects while the requester completes: one of them gets 409, and the change agrees with it', async () => {
  await setRule(ONE)
  const id = await ask()
  await decide(us.people.approver, 'approve', id)
  const [completed, rejected] = await Promise.all([complete(id), decide(us.people.second, 'reject', id)])
  expect([completed.status, rejected.status].filter((status) => status === 409)).toHaveLength(1)
  expect(await isAdded()).toBe(completed.status === 201)
  expect(await stateOf(id)).toBe(completed.status === 201 ? 'completed' : 'rejected')
})

test('two approvals that were enough, until one approver became a viewer: 403', async () => {
  await setRule(TWO)
  const id = await ask()
  for (const who of [us.people.approver, us.people.second]) await decide(who, 'approve', id)
  await setRole(us.ids.second, 'viewer')
  await refused(complete(id), 403, 'change_request_not_approved')
})

test('the requester becomes a viewer while it waits, and completes it: 403; so does an approver who becomes one', async () => {
  await setRule(ONE)
  const id = await ask()
  await setRole(us.ids.approver, 'viewer')
  await refused(decide(us.people.approver, 'approve', id), 403)
  await decide(us.people.second, 'approve', id)
  await setRole(us.ids.admin, 'viewer')
  await refused(complete(id), 403)
})

test('the requester becomes an owner while it waits, and approves it: 403', async () => {
  await setRule(ONE)
  const id = await ask()
  await service.parts.db.updateTable('users').set({ role: 'owner' }).where('id', '=', us.ids.admin).execute()
  await refused(decide(us.people.admin, 'approve', id), 403, 'own_change_request')
})

test('a request that expired is approved, completed and cancelled: 409 each time, before and after the sweep', async () => {
  await setRule(TWO)
  const id = await ask()
  await decide(us.people.approver, 'approve', id)
  const before = service.clock.now()
  service.clock.advance(30 * 86_400_000)
  // Sessions ended meanwhile; the same members sign in again.
  const login = async (role: string) => {
    const body = { email: `${role}${us.number}@acme.example`, password: PASSWORD }
    const { accessToken } = (await service.as({}).post<{ data: { accessToken: string } }>('/api/core/auth/login', body))
      .body.data
    return service.as({ authorization: `Bearer ${accessToken}` })
  }
  const [admin, second] = [await login('admin'), await login('second')]
  await refused(decide(second, 'approve', id), 409)
  await refused(decide(admin, 'cancel', id), 409)
  await refused(complete(id, MEMBER(), admin), 409)
  expect(service.clock.now() > before).toBe(true)
})

test('the approved body with another role, name, letter case or one more field: 409', async () => {
  await setRule(ONE)
  const id = await ask()
  await decide(us.people.approver, 'approve', id)
  const { email } = MEMBER()
  for (const more of [
    { role: 'admin' },
    { name: 'Grace' },
    { email: email.toUpperCase() },
    { password: `${PASSWORD} ` },
  ])
    await refused(complete(id, { ...MEMBER(), ...more }), 409, 'change_request_mismatch')
})

test('a header that names no request, several, or one in another notation: 400 and 404', async () => {
  await setRule(ONE)
  const id = await ask()
  await decide(us.people.approver, 'approve', id)
  for (const header of [
    '',
    '0',
    `0${id}`,
    `+${id}`,
    `${id}.0`,
    `${id}, ${id}`,
    `${id} `.padEnd(20, '0'),
    '9'.repeat(30),
    'x',
  ])
    await refused(complete(header), 400)
  await refused(complete(2 ** 52), 404)
})

test('the rule is lifted while a change waits: completing it still needs its approvals: 403', async () => {
  await setRule(TWO)
  const id = await ask()
  const lifted = await us.people.owner.request<Answer>('PUT', '/api/core/change-policy', { body: { rules: {} } })
  expect(lifted.status).toBe(202)
  for (const who of [us.people.approver, us.people.second]) await decide(who, 'approve', lifted.body.data.id)
  const headers = { 'change-request-id': String(lifted.body.data.id) }
  expect(
    (await us.people.owner.request('PUT', '/api/core/change-policy', { body: { rules: {} }, headers })).status,
  ).toBe(200)
  await refused(complete(id), 403, 'change_request_not_approved')
})

test('a member signs in again and rejects each change about themselves: 403, and they are removed', async () => {
  await setRule(ONE)
  const path = `/api/core/members/${us.ids.approver}`
  const tried = [
    ['PATCH', path, { role: 'viewer' }],
    ['PATCH', path, { password: 'another good long password' }],
    ['DELETE', `${path}/factors`],
    ['DELETE', path],
  ] as const
  expect((await us.people.owner.request('DELETE', `${path}/sessions`)).status).toBe(200)
  const login = { email: `approver${us.number}@acme.example`, password: PASSWORD }
  const { body } = await service.as({}).post<{ data: { accessToken: string } }>('/api/core/auth/login', login)
  const rogue = service.as(withToken(body.data.accessToken))
  let id = 0
  for (const [method, to, change] of tried) {
    const asked = await us.people.owner.request<Answer>(method, to, { body: change })
    expect(asked.body.data).toMatchObject({ status: 'requested', concernedUserId: us.ids.approver })
    id = asked.body.data.id
    await refused(decide(rogue, 'reject', id), 403, 'change_concerns_you')
  }
  expect((await decide(us.people.second, 'approve', id)).status).toBe(200)
  await refused(decide(rogue, 'reject', id), 403, 'change_concerns_you')
  const headers = { 'change-request-id': String(id) }
  expect((await us.people.owner.request('DELETE', path, { headers })).status).toBe(200)
})

test('two approvers send the same Idempotency-Key: the second gets 409, and no replay passes for a decision', async () => {
  await setRule(TWO)
  const id = await ask()
  const how = { headers: { 'idempotency-key': `approve-${id}` } }
  const approve = (who: HttpClient): Sent => who.post(`/api/core/change-requests/${id}/approve`, {}, how)
  expect((await approve(us.people.approver)).status).toBe(200)
  await refused(approve(us.people.second), 409, 'different_request')
  expect((await approve(us.people.approver)).status).toBe(200)
  await refused(complete(id), 403, 'change_request_not_approved')
  expect((await decide(us.people.second, 'approve', id)).status).toBe(200)
  expect((await complete(id)).status).toBe(201)
})

test('an approver sends another reason after the fact, and others a script as link: 409 and 400, the first reason stays', async () => {
  await setRule(TWO)
  const id = await ask()
  const approve = (body: object): Sent =>
    us.people.approver.post(`/api/core/change-requests/${id}/approve`, body, {
      headers: { 'idempotency-key': `because-${id}` },
    })
  const first = { reason: 'Ticket 7.', link: 'https://tickets.example/7', fileSha256: 'ab'.repeat(32) }
  expect((await approve(first)).status).toBe(200)
  await refused(approve({ ...first, reason: 'Ticket 8.' }), 409, 'different_request')
  const path = `/api/core/change-requests/${id}`
  await refused(us.people.second.post(`${path}/approve`, { link: 'javascript:alert(1)' }), 400)
  await refused(us.people.second.post(`${path}/reject`, { fileSha256: 'AB'.repeat(32) }), 400)
  await decide(us.people.second, 'approve', id)
  expect((await complete(id)).status).toBe(201)
  await refused(us.people.approver.post(`${path}/approve`, { reason: 'Ticket 8.' }), 409, 'change_request_completed')
  const { data } = (await us.people.viewer.get<{ data: { decisions: object[] } }>(path)).body
  expect(data.decisions).toMatchObject([{ userId: us.ids.approver, decision: 'approve', ...first }, { counts: true }])
})

test('a member who never signed in is counted on to lock the owner in, and gets another password to be signed in as', async () => {
  const { owner } = us.people
  for (const role of ['admin', 'approver', 'second'] as const)
    await service.parts.db
      .updateTable('users')
      .set({ password_change_required: true })
      .where('id', '=', us.ids[role])
      .execute()
  const body = { rules: { members: ONE } }
  await refused(owner.request('PUT', '/api/core/change-policy', { body }), 409, 'too_few_approvers')
  await service.parts.db
    .updateTable('users')
    .set({ password_change_required: false })
    .where('id', '=', us.ids.second)
    .execute()
  await setRule(ONE)
  // The one who sets it could sign in as the member, and approve their own requests after a day.
  const another = { password: 'another good long password' }
  for (const role of ['approver', 'second'] as const)
    expect((await owner.request('PATCH', `/api/core/members/${us.ids[role]}`, { body: another })).status).toBe(202)
})

test('a change that a leaked key requested is approved after its rotation: 409, and the next key completes nothing: 403', async () => {
  const { owner, approver } = us.people
  type Made = { readonly data: { readonly id: number; readonly apiKey: string } }
  const keyOf = ({ body }: HttpResponse<Made>) => service.as(withKey(body.data.apiKey))
  const leaked = await owner.post<Made>('/api/core/apikeys/generate', { name: 'leaked' })
  const rules = { payout_accounts: ONE }
  expect((await owner.request('PUT', '/api/core/change-policy', { body: { rules } })).status).toBe(200)
  const recipient = { name: 'Mallory' }
  const asked = await keyOf(leaked).post<Refusal>('/v1/ramp/recipients', recipient)
  const id = Number(asked.body.details?.changeRequestId)
  const rotation = { overlapSeconds: 0 }
  const next = await owner.post<Made>(`/api/core/apikeys/${leaked.body.data.id}/rotate`, rotation)
  await refused(decide(approver, 'approve', id), 409, 'change_request_cancelled')
  const how = { headers: { 'change-request-id': String(id) } }
  await refused(keyOf(next).post('/v1/ramp/recipients', recipient, how), 403, 'change_request_of_another')
  expect(await stateOf(id)).toBe('cancelled')
})
