// Also tested elsewhere: sequences of all steps (random-change-sequences.test.ts).
import { expect, test } from 'vitest'
import { useChanges } from '../../../testing/changes/use-changes.ts'
import type { Explanation } from '../../identity/index.ts'
import { approveChangeRequest } from './approve-change-request.ts'
import { rejectChangeRequest } from './reject-change-request.ts'

const use = useChanges()
const reject = ({ id: changeRequestId }: { readonly id: number }, userId: number, explanation?: Explanation) =>
  rejectChangeRequest(use.parts, { organizationId: use.organizationId, changeRequestId, userId, explanation })

test('one rejection ends a request, also an approved one and by its requester', async () => {
  const approved = await use.request()
  await use.approveTwice(approved)
  expect(await reject(approved, use.ids.admin)).toMatchObject({ state: 'rejected', endedAt: use.parts.clock.now() })
  expect(await reject(await use.request(), use.owner.userId)).toMatchObject({ state: 'rejected' })
})

test('a member who approved can reject, and nobody can approve after that', async () => {
  const request = await use.request()
  await use.approve(request, use.ids.grace)
  const { decisions } = await reject(request, use.ids.grace)
  expect(decisions).toMatchObject([{ userId: use.ids.grace, decision: 'reject' }])
  const refusal = { code: 'CONFLICT', details: { reason: 'change_request_rejected', changeRequestId: request.id } }
  await expect(use.approve(request, use.ids.linus)).rejects.toMatchObject(refusal)
  await expect(reject(request, use.ids.linus)).rejects.toMatchObject(refusal)
})

test('a rejection takes the place of an approval with its reason, also without one of its own', async () => {
  const explanation = { reason: 'Not ours.', link: 'https://tickets.example/9', fileSha256: 'cd'.repeat(32) }
  const explained = await use.request()
  await use.approve(explained, use.ids.grace)
  expect((await reject(explained, use.ids.grace, explanation)).decisions).toMatchObject([explanation])
  const silent = await use.request()
  const { organizationId } = use
  const approval = { organizationId, changeRequestId: silent.id, userId: use.ids.grace, explanation }
  await approveChangeRequest(use.parts, approval)
  const { decisions } = await reject(silent, use.ids.grace)
  expect(decisions).toMatchObject([{ decision: 'reject', reason: undefined, link: undefined, fileSha256: undefined }])
})

test('the member whom a change is about is FORBIDDEN, also once it is approved; others reject it', async () => {
  const request = await use.request({ concerns: { userId: use.ids.grace } })
  const refusal = { code: 'FORBIDDEN', details: { reason: 'change_concerns_you', changeRequestId: request.id } }
  await expect(reject(request, use.ids.grace)).rejects.toMatchObject(refusal)
  await use.approve(request, use.ids.linus)
  expect(await use.approve(request, use.ids.admin)).toMatchObject({ state: 'approved' })
  await expect(reject(request, use.ids.grace)).rejects.toMatchObject(refusal)
  expect(await reject(request, use.ids.linus)).toMatchObject({ state: 'rejected' })
})
