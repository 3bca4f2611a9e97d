// Also tested in: identity/organizations/register.test.ts (an email registered by several requests at once).

import { expect, test } from 'vitest'
import { identityFixture, organization, PASSWORD } from '../../../testing/identity/identity-fixture.ts'
import { newMember } from '../../../testing/identity/new-member.ts'
import { failingTransact } from '../../../testing/index.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { addMember } from './add-member.ts'
import { listMembers } from './list-members.ts'
import type { Member } from './member.ts'
import { removeMember } from './remove-member.ts'

const parts = useFixture(identityFixture)

const conflict = { code: 'CONFLICT' }

test('a member logs in with the given password and is listed, newest first', async () => {
  const { owner, user } = await organization(parts)
  const viewer = await newMember(parts, owner, 'viewer')
  expect(viewer.credential).toMatchObject({ organizationId: owner.organizationId, role: 'viewer' })
  const { items, total } = await listMembers(parts, owner.organizationId)
  expect(items.map(({ id, role }) => ({ id, role }))).toEqual([
    { id: viewer.id, role: 'viewer' },
    { id: user.id, role: 'owner' },
  ])
  expect(total).toBe(2)
})

test('an email in use anywhere is refused, and is free again once its member is removed', async () => {
  const { owner } = await organization(parts)
  const { owner: stranger, user } = await organization(parts)
  const input = { email: user.email.toUpperCase(), role: 'viewer', password: PASSWORD } as const
  await expect(addMember(parts, owner, input)).rejects.toMatchObject(conflict)
  const { id, email } = await newMember(parts, stranger, 'viewer')
  await removeMember(parts, stranger, id)
  expect(await addMember(parts, owner, { ...input, email })).toMatchObject({ email, role: 'viewer' })
})

test('one of several concurrent requests with one email adds a member', async () => {
  const owners = [(await organization(parts)).owner, (await organization(parts)).owner]
  const emails = ['Ada@acme.example', 'ada@ACME.example', ' ada@acme.example']
  const outcomes = await Promise.allSettled(
    emails.map((email, at) => addMember(parts, owners[at % 2]!, { email, role: 'viewer', password: PASSWORD })),
  )
  const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
  expect(refused).toMatchObject([conflict, conflict])
})

test('an admin can add members of any role except owner', async () => {
  const { owner } = await organization(parts)
  const admin = (await newMember(parts, owner, 'admin')).credential
  const input = { email: 'second-owner@acme.example', password: PASSWORD } as const
  await expect(addMember(parts, admin, { ...input, role: 'owner' })).rejects.toMatchObject({ code: 'FORBIDDEN' })
  expect(await addMember(parts, admin, { ...input, role: 'admin' })).toMatchObject({ role: 'admin' })
})

test.each([
  ['email', { email: 'nobody' }],
  ['password', { password: 'elevenchars' }],
  ['name', { name: '  ' }],
])('a malformed %s adds nobody', async (path, wrong) => {
  const { owner } = await organization(parts)
  const input = { email: 'new@acme.example', role: 'viewer', password: PASSWORD, ...wrong } as const
  await expect(addMember(parts, owner, input)).rejects.toMatchObject({
    code: 'VALIDATION_ERROR',
    details: { issues: [{ path }] },
  })
  expect((await listMembers(parts, owner.organizationId)).total).toBe(1)
})

test('an addition commits together with the caller’s transaction', async () => {
  const { owner } = await organization(parts)
  const transact = failingTransact<Member>(parts.db, 'the response was not recorded')
  const input = { email: 'late@acme.example', role: 'viewer', password: PASSWORD } as const
  await expect(addMember(parts, owner, input, transact)).rejects.toThrow('not recorded')
  expect(await addMember(parts, owner, input)).toMatchObject({ email: input.email })
})
