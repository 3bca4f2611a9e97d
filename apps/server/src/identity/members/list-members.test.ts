import { expect, test } from 'vitest'
import { identityFixture, organization } from '../../../testing/identity/identity-fixture.ts'
import { newMember } from '../../../testing/identity/new-member.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { listMembers, type MemberFilter } from './list-members.ts'

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

test('a filter by text and by role covers every page', async () => {
  const { owner } = await organization(parts)
  const { organizationId } = owner
  const admin = await newMember(parts, owner, 'admin')
  const viewer = await newMember(parts, owner, 'viewer')
  const stranger = await organization(parts)
  await newMember(parts, stranger.owner, 'viewer')
  await parts.db
    .updateTable('users')
    .set({ name: 'Grace Brewster Hopper' })
    .where('organization_id', '=', organizationId)
    .where('id', '=', viewer.id)
    .execute()
  const find = async (filter: MemberFilter) => {
    const { items, total } = await listMembers(parts, organizationId, { limit: 1, offset: 0 }, filter)
    return [total, items[0]?.id]
  }
  expect(await find({ role: 'viewer' })).toEqual([1, viewer.id])
  expect(await find({ role: 'approver' })).toEqual([0, undefined])
  expect(await find({ text: 'MEMBER' })).toEqual([2, viewer.id])
  expect(await find({ text: admin.email.slice(0, -4) })).toEqual([1, admin.id])
  expect(await find({ text: 'hop' })).toEqual([1, viewer.id])
  expect(await find({ text: 'opper' })).toEqual([0, undefined])
  expect(await find({ text: 'member%' })).toEqual([0, undefined])
  expect(await find({ text: 'member', role: 'admin' })).toEqual([1, admin.id])
})
