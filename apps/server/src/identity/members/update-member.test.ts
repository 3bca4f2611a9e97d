// Also tested in: identity/members/remove-member.test.ts (of all owners who leave at once, one remains) and
// identity/sessions/change-password.test.ts (their own password replaces a one-time password).

import { expect, test } from 'vitest'
import { identityFixture, organization, PASSWORD } from '../../../testing/identity/identity-fixture.ts'
import { logIn } from '../../../testing/identity/log-in.ts'
import { newMember } from '../../../testing/identity/new-member.ts'
import { sentLinks } from '../../../testing/identity/sent-links.ts'
import { failingTransact } from '../../../testing/index.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { authenticateBearer } from '../sessions/authenticate-bearer.ts'
import { listMembers } from './list-members.ts'
import type { Member } from './member.ts'
import { type MemberUpdate, updateMember } from './update-member.ts'

const parts = useFixture(identityFixture)

const forbidden = { code: 'FORBIDDEN' }

test('a new role takes effect with the next request', async () => {
  const { owner } = await organization(parts)
  const { id, accessToken } = await newMember(parts, owner, 'viewer')
  await updateMember(parts, { actor: owner, memberId: id, changes: { role: 'admin' } })
  expect(await authenticateBearer(parts, accessToken)).toMatchObject({ role: 'admin' })
})

test('a new password ends the sessions opened with the old one, and not that of the actor', async () => {
  const { owner, accessToken: owners } = await organization(parts)
  const { id, email, accessToken } = await newMember(parts, owner, 'viewer')
  await updateMember(parts, { actor: owner, memberId: id, changes: { password: 'another horse entirely' } })
  expect(await authenticateBearer(parts, accessToken)).toBeUndefined()
  const login = (password: string) => logIn(parts, { email, password, address: '192.0.2.1' })
  await expect(login(PASSWORD)).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
  expect(await login('another horse entirely')).toMatchObject({ user: { id } })
  expect(await authenticateBearer(parts, owners)).toBeDefined()
})

test('a session alone sets no password of its own user, who must send the current one elsewhere', async () => {
  const { owner, user } = await organization(parts)
  const admin = await newMember(parts, owner, 'admin')
  const password = 'another horse entirely'
  const elsewhere = { ...forbidden, message: expect.stringContaining('POST /api/core/auth/password') }
  for (const { actor, email } of [
    { actor: owner, email: user.email },
    { actor: admin.credential, email: admin.email },
  ]) {
    const changes = { name: 'Mallory', password }
    await expect(updateMember(parts, { actor, memberId: actor.userId, changes })).rejects.toMatchObject(elsewhere)
    expect((await logIn(parts, { email, password: PASSWORD, address: '192.0.2.1' })).user.name).not.toBe('Mallory')
  }
})

test('a link that resets the replaced password is refused, and a change of the name leaves it', async () => {
  const { owner } = await organization(parts)
  const { id, email } = await newMember(parts, owner, 'viewer')
  const send = () => sentLinks(parts, { organizationId: owner.organizationId, id, email })
  const change = (changes: MemberUpdate) => updateMember(parts, { actor: owner, memberId: id, changes })
  const replaced = await send()
  await change({ password: 'another horse entirely' })
  expect(await replaced.working()).toEqual(['email_verification'])
  const left = await send()
  await change({ name: 'Grace' })
  expect(await left.working()).toEqual(['password_reset', 'email_verification'])
})

test('omitted fields are unchanged, and a name can be cleared', async () => {
  const { owner } = await organization(parts)
  const { id, email } = await newMember(parts, owner, 'viewer')
  expect(await updateMember(parts, { actor: owner, memberId: id, changes: { name: ' Grace ' } })).toMatchObject({
    name: 'Grace',
    role: 'viewer',
    email,
  })
  expect(await updateMember(parts, { actor: owner, memberId: id, changes: {} })).toMatchObject({
    name: 'Grace',
    role: 'viewer',
  })
  expect(
    await updateMember(parts, { actor: owner, memberId: id, changes: { name: null, role: 'approver' } }),
  ).toMatchObject({
    name: null,
    role: 'approver',
  })
})

test('an admin can neither change an owner nor make someone an owner', async () => {
  const { owner } = await organization(parts)
  const admin = (await newMember(parts, owner, 'admin')).credential
  const { id } = await newMember(parts, owner, 'viewer')
  await expect(updateMember(parts, { actor: admin, memberId: id, changes: { role: 'owner' } })).rejects.toMatchObject(
    forbidden,
  )
  for (const changes of [{ role: 'viewer' }, { name: 'Taken' }, { password: 'taken over, taken' }] as const)
    await expect(updateMember(parts, { actor: admin, memberId: owner.userId, changes })).rejects.toMatchObject(
      forbidden,
    )
  expect(await updateMember(parts, { actor: admin, memberId: id, changes: { role: 'approver' } })).toMatchObject({
    role: 'approver',
  })
})

test('an admin sets the passwords of approvers and viewers, and those of other admins only an owner', async () => {
  const { owner } = await organization(parts)
  const admin = (await newMember(parts, owner, 'admin')).credential
  const other = await newMember(parts, owner, 'admin')
  const approver = await newMember(parts, owner, 'approver')
  const changes = { password: 'another horse entirely' }
  await expect(updateMember(parts, { actor: admin, memberId: other.id, changes })).rejects.toMatchObject(forbidden)
  expect(await authenticateBearer(parts, other.accessToken)).toBeDefined()
  await updateMember(parts, { actor: admin, memberId: approver.id, changes })
  await updateMember(parts, { actor: owner, memberId: other.id, changes })
  expect(await authenticateBearer(parts, other.accessToken)).toBeUndefined()
})

test('with one-time passwords, a member must replace what somebody else set', async () => {
  const { owner } = await organization(parts)
  const strict = { ...parts, assignedPasswords: 'one-time' as const }
  const { id, email } = await newMember(parts, owner, 'admin')
  await updateMember(strict, { actor: owner, memberId: id, changes: { password: 'another horse entirely' } })
  const login = () => logIn(parts, { email, password: 'another horse entirely', address: '192.0.2.1' })
  expect(await login()).toMatchObject({ passwordChangeRequired: true })
})

test('a one-time password opens no session after a week', async () => {
  const { owner } = await organization(parts)
  const strict = { ...parts, assignedPasswords: 'one-time' as const }
  const { id, email } = await newMember(parts, owner, 'viewer')
  await updateMember(strict, { actor: owner, memberId: id, changes: { password: 'another horse entirely' } })
  const login = () => logIn(parts, { email, password: 'another horse entirely', address: '192.0.2.1' })
  parts.clock.advance(7 * 86_400_000 - 1)
  await login()
  parts.clock.advance(1)
  await expect(login()).rejects.toMatchObject({ code: 'UNAUTHORIZED', message: 'Wrong email or password.' })
})

test('a member of another organization does not exist here', async () => {
  const { owner } = await organization(parts)
  const { owner: stranger } = await organization(parts)
  const changed = updateMember(parts, { actor: owner, memberId: stranger.userId, changes: { role: 'viewer' } })
  await expect(changed).rejects.toMatchObject({ code: 'NOT_FOUND' })
  expect((await listMembers(parts, stranger.organizationId)).items).toMatchObject([{ role: 'owner' }])
})

test('the last owner cannot be demoted, and another owner can', async () => {
  const { owner } = await organization(parts)
  const demote = () => updateMember(parts, { actor: owner, memberId: owner.userId, changes: { role: 'admin' } })
  await expect(demote()).rejects.toMatchObject({ code: 'CONFLICT' })
  await newMember(parts, owner, 'owner')
  expect(await demote()).toMatchObject({ role: 'admin' })
})

test('a change commits together with the caller’s transaction', async () => {
  const { owner } = await organization(parts)
  const { id, accessToken } = await newMember(parts, owner, 'viewer')
  const transact = failingTransact<Member>(parts.db, 'the response was not recorded')
  const changes = { role: 'admin', password: 'another horse entirely' } as const
  await expect(updateMember(parts, { actor: owner, memberId: id, changes }, transact)).rejects.toThrow('not recorded')
  expect(await authenticateBearer(parts, accessToken)).toMatchObject({ role: 'viewer' })
})
