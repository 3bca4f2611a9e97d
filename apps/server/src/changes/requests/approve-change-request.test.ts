// Also tested elsewhere: sequences of all steps (random-change-sequences.test.ts), over HTTP
// (surfaces/http/pipeline/guard-changes.test.ts).
import { expect, test } from 'vitest'
import { HOUR_SECONDS, useChanges } from '../../../testing/changes/use-changes.ts'
import { failingTransact } from '../../../testing/database/failing-transact.ts'
import { organization } from '../../../testing/identity/identity-fixture.ts'
import { generateKey } from '../../identity/index.ts'
import { addMilliseconds, CHANGE_APPROVAL_TIMEOUT_MS, CHANGE_COMPLETION_TIMEOUT_MS } from '../../kernel/index.ts'
import { approveChangeRequest } from './approve-change-request.ts'
import { changeApprovedAt } from './change-request.ts'
import { approvalsOf, getChangeRequest } from './read-change-requests.ts'

const use = useChanges()
const read = ({ id }: { readonly id: number }) =>
  getChangeRequest(use.parts, { organizationId: use.organizationId, changeRequestId: id })

test('the last required approval approves the request and starts its cooling-off period', async () => {
  const request = await use.request()
  const first = await use.approve(request, use.ids.grace)
  expect(first).toMatchObject({ state: 'requested', approvedAt: null })
  expect(approvalsOf(first)).toBe(1)
  use.parts.clock.advance(60_000)
  const at = use.parts.clock.now()
  expect(await use.approve(request, use.ids.admin)).toMatchObject({
    state: 'approved',
    approvedAt: at,
    expiresAt: addMilliseconds(at, HOUR_SECONDS * 1_000 + CHANGE_COMPLETION_TIMEOUT_MS),
    decisions: [{ userId: use.ids.grace }, { userId: use.ids.admin, decision: 'approve', at, counts: true }],
  })
})

test('repeated approvals of one member count once', async () => {
  const request = await use.request()
  await use.approve(request, use.ids.grace)
  expect(await use.approve(request, use.ids.grace)).toMatchObject({ state: 'requested' })
  expect(approvalsOf(await read(request))).toBe(1)
})

test('a repeated approval with another reason replaces the first one, and still counts once', async () => {
  const request = await use.request()
  const approve = (reason: string) =>
    approveChangeRequest(use.parts, {
      organizationId: use.organizationId,
      changeRequestId: request.id,
      userId: use.ids.grace,
      explanation: { reason },
    })
  await approve('Ticket 7')
  const again = await approve('Ticket 8')
  expect(again).toMatchObject({ state: 'requested', decisions: [{ userId: use.ids.grace, reason: 'Ticket 8' }] })
  expect(await read(request)).toEqual(again)
})

test('the requester is FORBIDDEN, and so is the user who generated the key that requested', async () => {
  const { organizationId } = use
  const key = await generateKey(use.parts, { organizationId, name: 'ramp', createdBy: use.owner.userId })
  const requests = [await use.request(), await use.request({ requestedBy: { type: 'key', id: key.id } })]
  for (const request of requests) {
    await expect(use.approve(request, use.owner.userId)).rejects.toMatchObject({
      code: 'FORBIDDEN',
      details: { reason: 'own_change_request', changeRequestId: request.id },
    })
    expect((await read(request)).decisions).toEqual([])
  }
})

test('a member whose password somebody else set today is FORBIDDEN', async () => {
  const request = await use.request()
  const from = addMilliseconds(use.parts.clock.now(), 60_000)
  await use.parts.db.updateTable('users').set({ approves_after: from }).where('id', '=', use.ids.grace).execute()
  await expect(use.approve(request, use.ids.grace)).rejects.toMatchObject({ code: 'FORBIDDEN' })
  expect((await read(request)).decisions).toEqual([])
})

test('a member approves no change that gives them more rights', async () => {
  for (const role of ['admin', 'owner'] as const) {
    const request = await use.request({ concerns: { userId: use.ids.grace, role } })
    await expect(use.approve(request, use.ids.grace)).rejects.toMatchObject({
      code: 'FORBIDDEN',
      details: { reason: 'change_concerns_you', changeRequestId: request.id },
    })
    expect((await read(request)).decisions).toEqual([])
  }
})

test.each([
  ['their removal', undefined],
  ['fewer rights', 'viewer'],
  ['the role that they have', 'approver'],
] as const)('a member approves %s as any other', async (_what, role) => {
  const request = await use.request({ concerns: { userId: use.ids.grace, role } })
  expect(await use.approveTwice(request)).toMatchObject({ state: 'approved', concernedUserId: use.ids.grace })
})

test('their approval stops counting when the change would give them more rights by then', async () => {
  const request = await use.request({ concerns: { userId: use.ids.admin, role: 'admin' } })
  await use.approve(request, use.ids.admin)
  await use.setRole(use.ids.admin, 'approver')
  expect(approvalsOf(await read(request))).toBe(0)
  expect(await use.approve(request, use.ids.grace)).toMatchObject({ state: 'requested' })
  expect(await use.approve(request, use.ids.linus)).toMatchObject({ state: 'approved' })
})

test.each([
  ['has left', (id: number) => use.remove(id)],
  ['became a viewer', (id: number) => use.setRole(id, 'viewer')],
])('the approval of a member who %s does not count', async (_what, lose) => {
  const request = await use.request()
  await use.approve(request, use.ids.grace)
  await lose(use.ids.grace)
  expect(await use.approve(request, use.ids.linus)).toMatchObject({ state: 'requested' })
  expect(approvalsOf(await read(request))).toBe(1)
  expect(await use.approve(request, use.ids.admin)).toMatchObject({ state: 'approved' })
})

test('an approval that makes up for a lost one starts the cooling-off period again', async () => {
  const request = await use.request()
  const approvedAt = changeApprovedAt(await use.approveTwice(request))
  await use.setRole(use.ids.linus, 'viewer')
  use.parts.clock.advance(HOUR_SECONDS * 1_000)
  const again = await use.approve(request, use.ids.admin)
  expect(again).toMatchObject({ state: 'approved', approvedAt: use.parts.clock.now() })
  expect(changeApprovedAt(again)).not.toEqual(approvedAt)
})

test('a further approval of an approved request does not start its period again', async () => {
  const request = await use.request()
  const approvedAt = changeApprovedAt(await use.approveTwice(request))
  use.parts.clock.advance(60_000)
  expect(await use.approve(request, use.ids.admin)).toMatchObject({ state: 'approved', approvedAt })
})

test('a request of another organization is NOT_FOUND', async () => {
  const { owner: stranger } = await organization(use.parts)
  const { id: changeRequestId } = await use.request()
  const input = { organizationId: stranger.organizationId, userId: stranger.userId, changeRequestId }
  await expect(approveChangeRequest(use.parts, input)).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

test('an overdue request is refused as expired before the sweep', async () => {
  const request = await use.request()
  use.parts.clock.advance(CHANGE_APPROVAL_TIMEOUT_MS)
  await expect(use.approve(request, use.ids.grace)).rejects.toMatchObject({
    code: 'CONFLICT',
    details: { reason: 'change_request_expired' },
  })
})

test('nothing remains of an approval whose transaction fails', async () => {
  const request = await use.request()
  const input = { organizationId: use.organizationId, userId: use.ids.grace, changeRequestId: request.id }
  await expect(approveChangeRequest(use.parts, input, failingTransact(use.parts.db, 'not recorded'))).rejects.toThrow(
    'not recorded',
  )
  expect((await read(request)).decisions).toEqual([])
})
