// Also tested in: operations/approval/approve-operation.test.ts (an approval that may not count is refused).

import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  credentialOf,
  type IdentityFixture,
  identityFixture,
  organization,
  PASSWORD,
} from '../../../testing/identity/identity-fixture.ts'
import { logIn } from '../../../testing/identity/log-in.ts'
import { newMember } from '../../../testing/identity/new-member.ts'
import { inTransaction } from '../../database/index.ts'
import { changePassword } from '../sessions/change-password.ts'
import { addMember } from './add-member.ts'
import { requireApprover } from './require-approver.ts'
import { updateMember } from './update-member.ts'

let parts: IdentityFixture
beforeAll(async () => {
  parts = { ...(await identityFixture()), assignedPasswords: 'one-time' }
})
afterAll(() => parts?.close())

const given = 'a password of somebody else'
const own = 'a password of their own'
const day = 86_400_000
const check = (organizationId: number, userId: number) =>
  inTransaction(parts.db, (tx) => requireApprover(tx, parts.clock.now(), { organizationId, userId }))

test('a new member approves once they have set their own password and a day has passed', async () => {
  const { owner } = await organization(parts)
  const { id, email } = await addMember(parts, owner, { email: 'new@acme.example', role: 'approver', password: given })
  const address = '192.0.2.1'
  const approves = () => check(owner.organizationId, id)
  await expect(approves()).rejects.toMatchObject({ code: 'FORBIDDEN', message: /your own password/ })
  const { accessToken } = await logIn(parts, { email, password: given, address })
  const passwords = { currentPassword: given, newPassword: own }
  await changePassword(parts, await credentialOf(parts, accessToken), { ...passwords, address })
  await expect(approves()).rejects.toMatchObject({ code: 'FORBIDDEN', message: /24 hours/ })
  parts.clock.advance(day - 1)
  await expect(approves()).rejects.toMatchObject({ code: 'FORBIDDEN' })
  parts.clock.advance(1)
  await approves()
})

test('waiting alone is not enough: the password must be their own', async () => {
  const { owner } = await organization(parts)
  const { id } = await addMember(parts, owner, { email: 'idle@acme.example', role: 'approver', password: given })
  parts.clock.advance(30 * day)
  await expect(check(owner.organizationId, id)).rejects.toMatchObject({ code: 'FORBIDDEN' })
})

test('a reset stops an approver for a day, and their own new password does not', async () => {
  const { owner } = await organization(parts)
  const { id, credential } = await newMember({ ...parts, assignedPasswords: 'lasting' }, owner, 'admin')
  await check(owner.organizationId, id)
  await changePassword(parts, credential, { currentPassword: PASSWORD, newPassword: own, address: '192.0.2.1' })
  await check(owner.organizationId, id)
  await updateMember(parts, { actor: owner, memberId: id, changes: { password: given } })
  await expect(check(owner.organizationId, id)).rejects.toMatchObject({ code: 'FORBIDDEN' })
})

test('a viewer who becomes an approver waits a day, an approver who becomes an admin does not', async () => {
  const { owner } = await organization(parts)
  const { organizationId } = owner
  const { id } = await newMember({ ...parts, assignedPasswords: 'lasting' }, owner, 'viewer')
  const become = (role: 'viewer' | 'approver' | 'admin') =>
    updateMember(parts, { actor: owner, memberId: id, changes: { role } })
  await become('approver')
  parts.clock.advance(day - 1)
  await expect(check(organizationId, id)).rejects.toMatchObject({ code: 'FORBIDDEN', message: /24 hours/ })
  parts.clock.advance(1)
  await check(organizationId, id)
  await become('admin')
  await check(organizationId, id)
  await become('viewer')
  await become('admin')
  await expect(check(organizationId, id)).rejects.toMatchObject({ code: 'FORBIDDEN' })
})

test('the owner who registered, and members from before, approve', async () => {
  const { owner } = await organization(parts)
  await check(owner.organizationId, owner.userId)
})
