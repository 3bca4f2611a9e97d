// Also tested elsewhere: over HTTP (surfaces/http/pipeline/guard-changes.test.ts).
import { expect, test } from 'vitest'
import { requestedBy, useChanges } from '../../../testing/changes/use-changes.ts'
import { organization } from '../../../testing/identity/identity-fixture.ts'
import {
  actorOf,
  authenticateServiceAccount,
  createServiceAccount,
  generateKey,
  rotateServiceAccount,
} from '../../identity/index.ts'
import {
  CHANGE_APPROVAL_TIMEOUT_MS,
  OPEN_CHANGE_REQUESTS_MAX,
  OPEN_CHANGE_REQUESTS_PER_MEMBER_MAX,
  OPEN_CHANGE_REQUESTS_PER_REQUESTER_MAX,
} from '../../kernel/index.ts'
import { approveChangeRequest } from './approve-change-request.ts'
import type { ChangeRequester } from './change-request.ts'
import { getChangeRequest } from './read-change-requests.ts'
import { rejectChangeRequest } from './reject-change-request.ts'
import { requestChange } from './request-change.ts'

const use = useChanges()

test('a request waits for approvals, says what it would change, and is in the audit log', async () => {
  const request = await use.request()
  expect(request).toMatchObject({
    state: 'requested',
    kind: 'members',
    action: 'addMember',
    content: { summary: 'Add a member', method: 'POST', path: '/api/core/members', body: { role: 'approver' } },
    requestedBy: { type: 'user', id: use.owner.userId },
    requesterUserId: use.owner.userId,
    requesterName: expect.stringMatching(/^owner\d+@acme.example$/),
    requiredApprovals: 2,
    coolingOffSeconds: 3_600,
    approvedAt: null,
    endedAt: null,
    expiresAt: new Date(use.parts.clock.now().getTime() + CHANGE_APPROVAL_TIMEOUT_MS),
    decisions: [],
  })
  expect(await use.actions()).toEqual(['requestChange'])
})

test('what a request says is stored encrypted, and opens only in its own row', async () => {
  const [one, two] = [await use.request(), await use.request()]
  const contentOf = (id: number) =>
    use.parts.db.selectFrom('change_requests').select('content').where('id', '=', id).executeTakeFirstOrThrow()
  const { content } = await contentOf(one.id)
  expect(content.toString('latin1')).not.toContain('acme.example')
  await use.parts.db.updateTable('change_requests').set({ content }).where('id', '=', two.id).execute()
  const moved = await getChangeRequest(use.parts, { organizationId: use.organizationId, changeRequestId: two.id })
  expect(moved).toMatchObject({ isReadable: false, content: { summary: '[unreadable]', body: null } })
})

test('the same request of the same caller is the open one; of another caller, or after an end, it is new', async () => {
  const change = requestedBy(use.owner)
  const { id } = await requestChange(use.parts, change)
  expect((await requestChange(use.parts, change)).id).toBe(id)
  const another = await requestChange(use.parts, { ...change, requestedBy: { type: 'user', id: use.ids.admin } })
  expect(another.id).not.toBe(id)
  const decision = { organizationId: use.organizationId, changeRequestId: id, userId: use.ids.grace }
  await rejectChangeRequest(use.parts, decision)
  expect((await requestChange(use.parts, change)).id).not.toBe(id)
  expect(await use.actions()).toEqual(['requestChange', 'requestChange', 'requestChange'])
})

test('simultaneous repetitions make one request', async () => {
  const change = requestedBy(use.owner)
  const made = await Promise.all([1, 2, 3, 4].map(() => requestChange(use.parts, change)))
  expect(new Set(made.map(({ id }) => id)).size).toBe(1)
})

test('an overdue request is expired, and its repetition is a new request', async () => {
  const change = requestedBy(use.owner)
  const { id } = await requestChange(use.parts, change)
  use.parts.clock.advance(CHANGE_APPROVAL_TIMEOUT_MS)
  const again = await requestChange(use.parts, change)
  expect(again).toMatchObject({ state: 'requested' })
  const old = await getChangeRequest(use.parts, { organizationId: use.organizationId, changeRequestId: id })
  expect(old.state).toBe('expired')
  expect(await use.actions()).toEqual(['requestChange', 'expireChangeRequest', 'requestChange'])
})

test('a rule without approvals approves at once, and only the cooling-off period remains', async () => {
  const request = await use.request({ rule: { requiredApprovals: 0, coolingOffSeconds: 60 } })
  expect(request).toMatchObject({ state: 'approved', approvedAt: use.parts.clock.now() })
})

test('a request of a key is a request of the user who generated the key', async () => {
  const { organizationId } = use
  const { userId } = use.owner
  const made = await generateKey(use.parts, { organizationId, name: 'ramp', createdBy: userId })
  const old = await generateKey(use.parts, { organizationId, name: 'old' })
  const by = (id: number) => use.request({ requestedBy: { type: 'key', id } })
  expect(await by(made.id)).toMatchObject({ requesterUserId: userId, requesterName: 'ramp' })
  expect(await by(old.id)).toMatchObject({ requesterUserId: null, requesterName: 'old' })
})

test('a request of a service account is one of the member who holds its secret, through each rotation', async () => {
  const { organizationId } = use
  const { userId } = use.owner
  const made = await createServiceAccount(use.parts, { organizationId, name: 'sync', role: 'admin', createdBy: userId })
  const rotation = { organizationId, serviceAccountId: made.id, createdBy: use.ids.admin }
  const next = await rotateServiceAccount(use.parts, rotation)
  for (const [secret, holder] of [
    [made.secret, userId],
    [next.secret, use.ids.admin],
  ] as const) {
    const check = await authenticateServiceAccount(use.parts, secret)
    if (check.status !== 'valid') throw new Error(check.status)
    const requestedBy = actorOf(check.credential) as ChangeRequester
    const request = await use.request({ requestedBy })
    expect(request).toMatchObject({
      requestedBy: { type: 'service_account', id: made.id },
      requesterUserId: holder,
      requesterName: 'sync',
    })
    const decision = { organizationId, changeRequestId: request.id, userId: holder }
    await expect(approveChangeRequest(use.parts, decision)).rejects.toMatchObject({
      details: { reason: 'own_change_request' },
    })
  }
})

const TOO_MANY = { code: 'CONFLICT', details: { reason: 'too_many_change_requests' } }
const requestMany = async (count: number, requestedBy: ChangeRequester) => {
  for (let made = 0; made < count; made += 1) await use.request({ requestedBy })
}

test(`a program has at most ${OPEN_CHANGE_REQUESTS_PER_REQUESTER_MAX} open requests, and others still request`, async () => {
  const key = await keyOf(use.owner.userId)
  await requestMany(OPEN_CHANGE_REQUESTS_PER_REQUESTER_MAX, key)
  await expect(use.request({ requestedBy: key })).rejects.toMatchObject(TOO_MANY)
  await requestMany(1, { type: 'user', id: use.owner.userId })
  await requestMany(1, { type: 'user', id: use.ids.admin })
})

test(`a member and their keys have at most ${OPEN_CHANGE_REQUESTS_PER_MEMBER_MAX}, and others still request`, async () => {
  const places = OPEN_CHANGE_REQUESTS_PER_REQUESTER_MAX
  for (let left = OPEN_CHANGE_REQUESTS_PER_MEMBER_MAX; left > 0; left -= places)
    await requestMany(Math.min(left, places), await keyOf(use.ids.admin))
  await expect(use.request({ requestedBy: { type: 'user', id: use.ids.admin } })).rejects.toMatchObject(TOO_MANY)
  await requestMany(1, { type: 'user', id: use.owner.userId })
})

test(`an organization has at most ${OPEN_CHANGE_REQUESTS_MAX} open requests, and others are not counted`, async () => {
  const { owner: other } = await organization(use.parts)
  const members = [use.owner.userId, ...Object.values(use.ids)]
  const places = OPEN_CHANGE_REQUESTS_MAX / members.length
  for (const id of members) await requestMany(places, { type: 'user', id })
  await expect(use.request({ requestedBy: await keyOf(use.owner.userId) })).rejects.toMatchObject(TOO_MANY)
  await expect(requestChange(use.parts, requestedBy(other))).resolves.toMatchObject({ state: 'requested' })
})

async function keyOf(createdBy: number): Promise<ChangeRequester> {
  const { id } = await generateKey(use.parts, { organizationId: use.organizationId, name: 'a key', createdBy })
  return { type: 'key', id }
}
