// Also tested in: complete-change-request.test.ts (policies), system/attacks/change-requests.test.ts.

import { expect, test } from 'vitest'
import { renameUnder, useChanges } from '../../../testing/changes/use-changes.ts'
import { completeChangeRequest } from './complete-change-request.ts'
import { type ChangeRequestView, getChangeRequest } from './read-change-requests.ts'

const use = useChanges()
const ONE = { requiredApprovals: 1, coolingOffSeconds: 0 }

/** An approved request of this method and path. */
async function approved(method: string, path: string, more: Parameters<typeof use.request>[0] = {}) {
  const content = { summary: 'Change something', method, path, body: null }
  const request = await use.request({ rule: ONE, action: `${method} something`, content, ...more })
  await use.approve(request, use.ids.grace)
  return request
}
const complete = (request: ChangeRequestView) => renameUnder(use.parts, use.claimOf(request), completeChangeRequest)
const stateOf = async ({ id }: ChangeRequestView) =>
  (await getChangeRequest(use.parts, { organizationId: use.organizationId, changeRequestId: id })).state

test.each([
  ['PATCH', 'PATCH'],
  ['DELETE', 'PUT'],
])(
  'an approved %s that was kept in reserve ends with the %s of the same object that reversed it',
  async (weak, strong) => {
    const kept = await approved(weak, '/api/core/destinations/5')
    await complete(await approved(strong, '/api/core/destinations/5'))
    expect(await stateOf(kept)).toBe('cancelled')
    expect((await use.actions()).slice(-2)).toEqual(['completeChangeRequest', 'supersedeChangeRequest'])
    const refusal = { code: 'CONFLICT', details: { reason: 'change_request_cancelled' } }
    await expect(complete(kept)).rejects.toMatchObject(refusal)
  },
)

test('so does an approved change of a member with another change of the same member', async () => {
  const about = (userId: number) => ({ concerns: { userId, role: 'admin' as const } })
  const kept = await approved('PATCH', '/api/core/members/7', about(use.ids.viewer))
  const other = await approved('PATCH', '/api/core/members/8', about(use.ids.linus))
  await complete(await approved('DELETE', '/api/core/members/7/factors', about(use.ids.viewer)))
  expect([await stateOf(kept), await stateOf(other)]).toEqual(['cancelled', 'approved'])
})

test('requests about other objects, requests to add, and those that were made later stay open', async () => {
  const path = '/api/core/destinations/5'
  const object = await approved('PATCH', '/api/core/destinations/6')
  const added = await approved('POST', '/api/core/destinations')
  const adding = await approved('POST', '/api/core/destinations')
  const completed = await approved('PATCH', path)
  const later = await approved('PATCH', path)
  await complete(adding)
  await complete(completed)
  expect(await Promise.all([object, added, later].map(stateOf))).toEqual(['approved', 'approved', 'approved'])
})

test('two changes of one object that are completed at once do not wait for each other', async () => {
  const path = '/api/core/destinations/5'
  const [first, second] = [await approved('PATCH', path), await approved('PATCH', path)]
  const outcomes = await Promise.allSettled([complete(first), complete(second)])
  expect(outcomes[1].status).toBe('fulfilled')
  expect(['completed', 'cancelled']).toContain(await stateOf(first))
  expect(await stateOf(second)).toBe('completed')
})
