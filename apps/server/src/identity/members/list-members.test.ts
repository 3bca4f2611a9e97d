import { expect, test } from 'vitest'
import { identityFixture, organization } from '../../../testing/identity-fixture.ts'
import { newMember } from '../../../testing/new-member.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { listMembers } from './list-members.ts'

const parts = useFixture(identityFixture)

test('a page of the list reports the total, even past its end', async () => {
  const { owner } = await organization(parts)
  for (const role of ['admin', 'approver', 'viewer'] as const) await newMember(parts, owner, role)
  const part = (limit: number | null, offset: number) => listMembers(parts, owner.organizationId, { limit, offset })
  expect((await part(2, 1)).items.map(({ role }) => role)).toEqual(['approver', 'admin'])
  for (const [limit, offset] of [
    [1, 0],
    [2, 3],
    [null, 2],
    [1, 9],
  ] as const) {
    expect((await part(limit, offset)).total).toBe(4)
  }
})
