// Attacks with and through service accounts: each says what was tried and what came back, and that nothing changed.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type HttpClient, type Refusal, withKey, withToken } from '../clients/client.ts'
import {
  type DutiesService,
  PASSWORD,
  type Staff,
  startDutiesService,
} from '../clients/separation-of-duties-fixture.ts'

interface Answer {
  readonly data: { readonly id: number; readonly secret: string; readonly apiKey: string }
}
interface Account {
  readonly id: number
  readonly secret: string
  readonly machine: HttpClient
}

const ONE = { requiredApprovals: 1, coolingOffSeconds: 0 }
const ACCOUNTS = '/api/core/service-accounts'
const WEBHOOK = { url: 'http://127.0.0.1:9/', events: ['*'] }

let service: DutiesService
let us: Staff
let changes: DutiesService['changes']
let as: DutiesService['as']
let expectRefused: DutiesService['expectRefused']

beforeAll(async () => {
  service = await startDutiesService()
  ;({ changes, as, expectRefused } = service)
})
afterAll(() => service?.stop())

beforeEach(async () => {
  us = await service.staffed()
  await changes.drain()
})

/** An account whose secret the admin received. */
async function account(body: object = {}): Promise<Account> {
  const { status, body: made } = await us.people.admin.post<Answer>(ACCOUNTS, { name: 'sync', role: 'admin', ...body })
  expect(status).toBe(201)
  const { id, secret } = made.data
  await changes.drain()
  return { id, secret, machine: as(withToken(secret)) }
}
const setRules = async (rules: object) => {
  const { status } = await us.people.owner.request('PUT', '/api/core/change-policy', { body: { rules } })
  expect(status).toBe(200)
  await changes.drain()
}
const withRequest = (id: number) => ({ headers: { 'change-request-id': String(id) } })
const addWebhook = (who: HttpClient, how: object = {}) => who.post<Answer & Refusal>('/api/core/webhooks', WEBHOOK, how)
const decide = (who: HttpClient, word: string, id: number) =>
  who.post<Answer & Refusal>(`/api/core/change-requests/${id}/${word}`)
const rotate = (who: HttpClient, id: number, body: object = {}, how: object = {}) =>
  who.post<Answer & Refusal>(`${ACCOUNTS}/${id}/rotate`, body, how)

async function requested(who: HttpClient): Promise<number> {
  const { status, body } = await addWebhook(who)
  expect(status).toBe(202)
  await changes.drain()
  return body.data.id
}

test('an admin approves what the account requested whose secret that admin holds: 403, it stays unapproved', async () => {
  const { machine } = await account()
  await setRules({ webhooks: ONE })
  const id = await requested(machine)
  await expectRefused(decide(us.people.admin, 'approve', id), 403, 'own_change_request')
  await expectRefused(addWebhook(machine, withRequest(id)), 403, 'change_request_not_approved')
  expect((await decide(us.people.approver, 'approve', id)).status).toBe(200)
  expect((await addWebhook(machine, withRequest(id))).status).toBe(201)
})

test('an owner rotates the secret of an admin’s account, requests with it and approves that: 403', async () => {
  const { id } = await account()
  const { owner } = us.people
  const { body } = await rotate(owner, id)
  await setRules({ webhooks: ONE })
  const request = await requested(as(withToken(body.data.secret)))
  await expectRefused(decide(owner, 'approve', request), 403, 'own_change_request')
})

test('an account approves, rejects or cancels a change, its own or another’s: 403 each time', async () => {
  const { machine } = await account()
  await setRules({ webhooks: ONE })
  for (const id of [await requested(machine), await requested(us.people.admin)])
    for (const word of ['approve', 'reject', 'cancel'])
      await expectRefused(decide(machine, word, id), 403, 'person_required')
})

test('another account, or a person, completes what one account requested: 403', async () => {
  const [one, other] = [await account(), await account()]
  await setRules({ webhooks: ONE })
  const id = await requested(one.machine)
  await decide(us.people.approver, 'approve', id)
  await changes.drain()
  for (const thief of [other.machine, us.people.admin])
    await expectRefused(addWebhook(thief, withRequest(id)), 403, 'change_request_of_another')
})

test('an admin creates or rotates an account alone where keys need two persons: nothing but a request', async () => {
  const { id, machine } = await account()
  await setRules({ keys: ONE })
  for (const answer of [
    await us.people.admin.post<Answer>(ACCOUNTS, { name: 'mine', role: 'admin' }),
    await rotate(us.people.admin, id),
  ]) {
    expect(answer.status).toBe(202)
    expect(answer.text).not.toContain('sa_sandbox_')
  }
  expect((await machine.get('/api/core/webhooks')).status).toBe(200)
})

test('a stolen secret makes more credentials, members or rules: 403 each time', async () => {
  const { id, machine } = await account()
  const member = { email: `new${us.number}@acme.example`, role: 'admin', password: PASSWORD }
  const tried: [string, string, object][] = [
    ['POST', ACCOUNTS, { name: 'Mallory', role: 'admin' }],
    ['POST', `${ACCOUNTS}/${id}/rotate`, {}],
    ['DELETE', `${ACCOUNTS}/${id}`, {}],
    ['POST', '/api/core/apikeys/generate', { name: 'Mallory' }],
    ['POST', '/api/core/members', member],
    ['PATCH', `/api/core/members/${us.ids.viewer}`, { role: 'admin' }],
    ['DELETE', `/api/core/members/${us.ids.viewer}`, {}],
    ['PUT', '/api/core/change-policy', { rules: {} }],
    ['PUT', '/api/core/approval-policy', { rules: [], defaultAction: 'APPROVE' }],
    ['POST', '/api/core/destinations', { blockchain: 'base', address: `0x${'ab'.repeat(20)}`, label: 'Mallory' }],
    ['DELETE', '/api/core/organization', { name: 'Acme' }],
    ['POST', '/api/core/organization/erase', { name: 'Acme' }],
  ]
  for (const [method, path, body] of tried)
    await expectRefused(machine.request<Refusal>(method, path, { body }), 403, 'person_required')
})

test('a stolen secret becomes a session: as refresh token 401, at each route of a session 403', async () => {
  const { secret, machine } = await account()
  await expectRefused(as({}).post<Refusal>('/api/core/auth/refresh', { refreshToken: secret }), 401)
  for (const path of ['/api/core/auth/me', '/api/core/members', ACCOUNTS, '/api/core/apikeys'])
    await expectRefused(machine.get<Refusal>(path), 403, 'person_required')
  await expectRefused(machine.post<Refusal>('/api/core/auth/logout'), 403, 'person_required')
})

test('a secret is sent as a key, and a key as a secret: 401', async () => {
  const { secret } = await account()
  const { body } = await us.people.admin.post<Answer>('/api/core/apikeys/generate', { name: 'key' })
  await changes.drain()
  await expectRefused(as(withKey(secret)).get<Refusal>('/v1/ramp/fees'), 401)
  await expectRefused(as(withKey(secret)).get<Refusal>('/api/core/webhooks'), 401)
  await expectRefused(as(withToken(body.data.apiKey)).get<Refusal>('/api/core/webhooks'), 401)
})

test('a secret works after its account was deleted, or the old one after a rotation without overlap: 401', async () => {
  const { id, machine } = await account()
  const { body } = await rotate(us.people.admin, id, { overlapSeconds: 0 })
  await changes.drain()
  await expectRefused(machine.get<Refusal>('/api/core/webhooks'), 401)
  const next = as(withToken(body.data.secret))
  expect((await next.get('/api/core/webhooks')).status).toBe(200)
  expect((await us.people.owner.delete(`${ACCOUNTS}/${id}`)).status).toBe(200)
  await service.parts.usage.flush()
  await changes.drain()
  await expectRefused(next.get<Refusal>('/api/core/webhooks'), 401)
})

test('an account is deleted while a change that it requested waits: approving that is 409, the place is free', async () => {
  await setRules({ webhooks: ONE })
  const { id: accountId, machine } = await account()
  const asked = await addWebhook(machine)
  expect(asked.status).toBe(202)
  expect((await us.people.owner.request('DELETE', `${ACCOUNTS}/${accountId}`)).status).toBe(200)
  await changes.drain()
  await expectRefused(decide(us.people.approver, 'approve', asked.body.data.id), 409, 'change_request_cancelled')
})

test('a secret is used from another network than its own: 403', async () => {
  const { machine } = await account({ allowedAddresses: ['203.0.113.0/24'] })
  await expectRefused(machine.get<Refusal>('/api/core/webhooks'), 403)
})

test('an account reads the payout account that a change request names: it does not exist for it', async () => {
  await setRules({ payout_accounts: ONE, webhooks: ONE })
  const { machine } = await account()
  const asked = await us.key.post<Refusal>('/v1/ramp/recipients', { name: 'Grace Hopper GmbH' })
  const id = Number(asked.body.details?.changeRequestId)
  const own = await requested(machine)
  const list = await machine.get<{ data: { changeRequests: { id: number }[] } }>('/api/core/change-requests')
  expect(list.body.data).toMatchObject({ changeRequests: [{ id: own }], pagination: { total: 1 } })
  await expectRefused(machine.get<Refusal>(`/api/core/change-requests/${id}`), 404)
  expect((await us.people.viewer.get(`/api/core/change-requests/${id}`)).text).toContain('Grace Hopper GmbH')
})

test('an account that reads creates a webhook, and one of another organization changes it: 403 and 404', async () => {
  const { machine } = await account({ role: 'viewer' })
  await expectRefused(addWebhook(machine), 403)
  const { body } = await addWebhook(us.people.admin)
  us = await service.staffed()
  const stranger = await account()
  const change = { body: { url: 'http://127.0.0.1:10/' } }
  await expectRefused(stranger.machine.request<Refusal>('PATCH', `/api/core/webhooks/${body.data.id}`, change), 404)
})
