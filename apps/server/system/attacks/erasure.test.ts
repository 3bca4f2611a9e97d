// Attacks on the erasure of organizations: each says what was tried and what came back, and that nothing changed.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Erasure, eraseRequested, type RequestedErasure } from '../../src/identity/index.ts'
import { silentLog, UNREADABLE } from '../../src/kernel/index.ts'
import { erasureSteps } from '../../src/main/compose/organization-erasure.ts'
import { CHANGE_SECRETS } from '../../testing/changes/change-secrets.ts'
import type { HttpClient, Refusal } from '../clients/client.ts'
import { type DutiesService, type Staff, startDutiesService } from '../clients/separation-of-duties-fixture.ts'

const ONE = { requiredApprovals: 1, coolingOffSeconds: 0 }
const PATH = '/api/core/organization/erase'

type Answer = Refusal & { readonly data: RequestedErasure & { readonly id: number } }

let service: DutiesService
let us: Staff
let them: Staff
let expectRefused: DutiesService['expectRefused']
beforeAll(async () => {
  service = await startDutiesService()
  ;({ expectRefused } = service)
  us = await staffed()
  them = await staffed()
})
afterAll(() => service?.stop())
/** A staffed organization with a name of its own. */
async function staffed(): Promise<Staff> {
  const staff = await service.staffed()
  await service.parts.db
    .updateTable('organizations')
    .set({ name: `Acme ${staff.number}` })
    .where('id', '=', staff.organizationId)
    .execute()
  await service.changes.drain()
  return staff
}

const nameOf = async ({ organizationId }: Staff) =>
  (
    await service.parts.db
      .selectFrom('organizations')
      .select('name')
      .where('id', '=', organizationId)
      .executeTakeFirstOrThrow()
  ).name
const erase = (who: HttpClient, name: string, how: object = {}) => who.post<Answer>(PATH, { name }, how)
const remove = (who: HttpClient, name: string, how: object = {}) =>
  who.request<Answer>('DELETE', '/api/core/organization', { body: { name }, ...how })
const progress = (receipt: string) =>
  service.as({}).get<Refusal & { data: Erasure & { state: string } }>(`/api/core/erasures/${receipt}`)
const runErasures = () => eraseRequested({ ...service.parts, log: silentLog, steps: erasureSteps(CHANGE_SECRETS) })
const withRequest = (id: number) => ({ headers: { 'change-request-id': String(id) } })

test('an owner erases the organization: their session ends, the receipt shows the progress, and nobody else loses anything', async () => {
  us = await staffed()
  const { status, body } = await erase(us.people.owner, await nameOf(us))
  expect({ status, body }).toMatchObject({
    status: 200,
    body: { data: { receipt: expect.stringMatching(/^\w{43}$/) } },
  })
  const { receipt } = body.data
  expect((await us.people.owner.get('/api/core/members')).status).toBe(401)
  expect((await us.key.get<Refusal>('/v1/ramp/recipients')).body.code).toBe('ORGANIZATION_NOT_FOUND')
  expect((await progress(receipt)).body.data).toMatchObject({ state: 'running', finishedAt: null, steps: [] })
  const audit = service.parts.db.selectFrom('audit_log').select(['action', 'object_id'])
  const [entry] = await audit.where('organization_id', '=', us.organizationId).orderBy('id', 'desc').limit(1).execute()
  expect(entry).toEqual({ action: 'eraseOrganization', object_id: us.organizationId })
  expect(await runErasures()).toBe(1)
  expect((await progress(receipt)).body.data).toMatchObject({
    state: 'finished',
    steps: expect.arrayContaining([{ name: 'members', rows: 11 }]),
  })
  expect((await progress(receipt)).text).not.toContain('acme')
  // Although the erasure revokes every key.
  expect((await us.key.get<Refusal>('/v1/ramp/recipients')).body.code).toBe('ORGANIZATION_NOT_FOUND')
  expect(await nameOf(them)).not.toBe('[erased]')
  expect((await them.people.owner.get('/api/core/members')).status).toBe(200)
})

describe('who is refused', () => {
  beforeAll(async () => {
    us = await staffed()
  })
  test.each(['admin', 'approver', 'viewer'] as const)('the %s erases the organization: 403', async (role) => {
    await expectRefused(erase(us.people[role], await nameOf(us)), 403)
  })

  test('a leaked key erases the organization: 401', async () => {
    await expectRefused(erase(us.key, await nameOf(us)), 401)
  })

  test('a stranger erases an organization whose name they know: 401', async () => {
    await expectRefused(erase(service.as({}), await nameOf(us)), 401)
  })

  test('an owner names another organization: 400, and neither is erased', async () => {
    await expectRefused(erase(us.people.owner, await nameOf(them)), 400)
  })

  test.each(['', ' ', '[erased]', 'x'.repeat(200)])('an owner confirms with another name (%j): 400', async (name) => {
    await expectRefused(erase(us.people.owner, name), 400)
  })

  test('a stolen session of an owner who has a second factor erases without it: 403', async () => {
    const { organizationId, ids } = us
    await service.parts.db
      .updateTable('users')
      .set({ second_factors: ['totp'] })
      .where('organization_id', '=', organizationId)
      .where('id', '=', ids.owner)
      .execute()
    await service.changes.drain()
    await expectRefused(erase(us.people.owner, await nameOf(us)), 403, 'step_up_required')
  })
})

describe('under a change rule', () => {
  beforeAll(async () => {
    us = await staffed()
    await us.people.owner.request('PUT', '/api/core/change-policy', { body: { rules: { members: ONE } } })
    await service.changes.drain()
  })

  test('an approval for another organization is presented: refused', async () => {
    await them.people.owner.request('PUT', '/api/core/change-policy', { body: { rules: { members: ONE } } })
    const { body } = await erase(them.people.owner, await nameOf(them))
    await them.people.second.post(`/api/core/change-requests/${body.data.id}/approve`)
    await service.changes.drain()
    await expectRefused(erase(us.people.owner, await nameOf(us), withRequest(body.data.id)), 404)
  })

  test('one owner alone deletes the organization: it waits for an approval, also from somebody else than an owner', async () => {
    const alone = await staffed()
    await alone.people.owner.request('PUT', '/api/core/change-policy', { body: { rules: { members: ONE } } })
    await service.changes.drain()
    const name = await nameOf(alone)
    const { status, body } = await remove(alone.people.owner, name)
    expect(status).toBe(202)
    const { id } = body.data
    await service.changes.drain()
    await expectRefused(remove(alone.people.owner, name, withRequest(id)), 403, 'change_request_not_approved')
    await expectRefused(erase(alone.people.owner, name, withRequest(id)), 409, 'change_request_mismatch')
    expect((await alone.people.second.post(`/api/core/change-requests/${id}/approve`)).status).toBe(200)
    expect((await remove(alone.people.owner, name, withRequest(id))).status).toBe(200)
    expect((await alone.people.second.get('/api/core/auth/me')).status).toBe(401)
    const entry = await service.parts.db
      .selectFrom('change_requests')
      .select(['action', 'state'])
      .where('organization_id', '=', alone.organizationId)
      .execute()
    expect(entry).toEqual([{ action: 'deleteOrganization', state: 'completed' }])
  })

  test('one owner alone erases the organization: it waits for an approval, and completing it early is refused', async () => {
    const { status, body } = await erase(us.people.owner, await nameOf(us))
    expect(status).toBe(202)
    await service.changes.drain()
    const { id } = body.data
    await expectRefused(erase(us.people.owner, await nameOf(us), withRequest(id)), 403, 'change_request_not_approved')
    expect((await us.people.second.post(`/api/core/change-requests/${id}/approve`)).status).toBe(200)
    const erased = await erase(us.people.owner, await nameOf(us), withRequest(id))
    expect(erased.status).toBe(200)
    await runErasures()
    const rows = service.parts.db.selectFrom('change_requests').select(['content', 'state'])
    expect(await rows.where('organization_id', '=', us.organizationId).execute()).toEqual([
      { content: Buffer.alloc(0), state: 'completed' },
    ])
  })
})

test('an owner sends it twice at once: one request erases, and there is one receipt', async () => {
  us = await staffed()
  const name = await nameOf(us)
  const both = await Promise.all([erase(us.people.owner, name), erase(us.people.owner, name)])
  const [ok, refused] = both.toSorted((one, other) => one.status - other.status)
  expect(ok!.status).toBe(200)
  expect([401, 404]).toContain(refused!.status)
  expect((await progress(ok!.body.data.receipt)).status).toBe(200)
})

test.each([
  ['another receipt', 'A'.repeat(43), 404],
  ['an id', '1', 400],
  ['a wildcard', '%25'.repeat(43), 400],
])('a stranger guesses a receipt (%s): refused', async (_, receipt, status) => {
  await service.changes.drain()
  await expectRefused(progress(receipt), status)
})

test('somebody with write access empties a change request that waits: approvers see that it is unreadable, and cannot approve it', async () => {
  us = await staffed()
  await us.people.owner.request('PUT', '/api/core/change-policy', { body: { rules: { members: ONE } } })
  const { body } = await erase(us.people.owner, await nameOf(us))
  await service.parts.db
    .updateTable('change_requests')
    .set({ content: Buffer.alloc(0) })
    .where('id', '=', body.data.id)
    .execute()
  const path = `/api/core/change-requests/${body.data.id}`
  expect((await us.people.second.get(path)).body).toMatchObject({
    data: { summary: UNREADABLE, request: { method: '', path: '', body: {} } },
  })
  expect(await us.people.second.post(`${path}/approve`)).toMatchObject({
    status: 409,
    body: { code: 'CONFLICT', details: { reason: 'change_request_unreadable' } },
  })
})
