// Also tested elsewhere: sequences of all steps (random-change-sequences.test.ts).
import { expect, test } from 'vitest'
import { useChanges } from '../../../testing/changes/use-changes.ts'
import { generateKey } from '../../identity/index.ts'
import { cancelChangeRequest } from './cancel-change-request.ts'

const use = useChanges()
const cancel = ({ id: changeRequestId }: { readonly id: number }, userId: number) =>
  cancelChangeRequest(use.parts, { organizationId: use.organizationId, changeRequestId, userId })

test('the requester cancels their request, also an approved one, and one of a key that they generated', async () => {
  const approved = await use.request()
  await use.approveTwice(approved)
  expect(await cancel(approved, use.owner.userId)).toMatchObject({ state: 'cancelled' })
  const { organizationId } = use
  const key = await generateKey(use.parts, { organizationId, name: 'ramp', createdBy: use.owner.userId })
  const byKey = await use.request({ requestedBy: { type: 'key', id: key.id } })
  expect(await cancel(byKey, use.owner.userId)).toMatchObject({ state: 'cancelled' })
})

test('nobody else cancels it, and nobody cancels it twice', async () => {
  const request = await use.request()
  await expect(cancel(request, use.ids.admin)).rejects.toMatchObject({ code: 'FORBIDDEN' })
  await cancel(request, use.owner.userId)
  await expect(cancel(request, use.owner.userId)).rejects.toMatchObject({
    code: 'CONFLICT',
    details: { reason: 'change_request_cancelled' },
  })
})
