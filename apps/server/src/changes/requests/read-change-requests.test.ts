// Also tested in: surfaces/core/changes/change-requests.test.ts, ended-requesters.test.ts.

import { expect, test } from 'vitest'
import { useChanges } from '../../../testing/changes/use-changes.ts'
import { getChangeRequest, listChangeRequests } from './read-change-requests.ts'

const use = useChanges()

test('the member whom a change is about is shown with their address, whatever name they were given meanwhile', async () => {
  const { id } = await use.request({ concerns: { userId: use.ids.viewer, role: 'admin' } })
  const { organizationId } = use
  const users = use.parts.db.updateTable('users').where('organization_id', '=', organizationId)
  await users.set({ name: 'Grace, whom everybody trusts' }).where('id', '=', use.ids.viewer).execute()
  const member = await use.parts.db
    .selectFrom('users')
    .select(['id', 'email', 'name'])
    .where('organization_id', '=', organizationId)
    .where('id', '=', use.ids.viewer)
    .executeTakeFirstOrThrow()
  expect(member.name).toBe('Grace, whom everybody trusts')
  const one = await getChangeRequest(use.parts, { organizationId, changeRequestId: id })
  expect(one.concernedMember).toEqual(member)
  const { items } = await listChangeRequests(use.parts, { organizationId }, {}, { limit: 1, offset: 0 })
  expect(items[0]!.concernedMember).toEqual(member)
})

test('a change about no member names none', async () => {
  expect((await use.request()).concernedMember).toBeNull()
})
