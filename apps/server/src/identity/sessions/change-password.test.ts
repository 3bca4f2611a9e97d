import { expect, test } from 'vitest'
import { credentialOf, identityFixture, organization, PASSWORD } from '../../../testing/identity/identity-fixture.ts'
import { logIn } from '../../../testing/identity/log-in.ts'
import { newMember } from '../../../testing/identity/new-member.ts'
import { sentLinks } from '../../../testing/identity/sent-links.ts'
import { failingTransact } from '../../../testing/index.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import type { UserCredential } from '../index.ts'
import { updateMember } from '../members/update-member.ts'
import { authenticateBearer } from './authenticate-bearer.ts'
import { type ChangedPassword, changePassword } from './change-password.ts'

const parts = useFixture(identityFixture)

const OWN = 'a password of their own'
const address = '192.0.2.1'
const change = (actor: UserCredential, currentPassword = PASSWORD, newPassword = OWN) =>
  changePassword(parts, actor, { currentPassword, newPassword, address })
const login = (email: string, password: string) => logIn(parts, { email, password, address })
const unauthorized = { code: 'UNAUTHORIZED' }

test.each(['owner', 'admin', 'approver', 'viewer'] as const)('an %s changes their own password', async (role) => {
  const { owner } = await organization(parts)
  const { email, credential, accessToken } = await newMember(parts, owner, role)
  const other = await login(email, PASSWORD)
  expect(await change(credential)).toEqual({ ended: 1, cookie: undefined })
  expect(await authenticateBearer(parts, accessToken)).toBeDefined()
  expect(await authenticateBearer(parts, other.accessToken)).toBeUndefined()
  await expect(login(email, PASSWORD)).rejects.toMatchObject(unauthorized)
  expect(await login(email, OWN)).toMatchObject({ user: { email } })
})

test('a link that resets the replaced password is refused, and one that proves the address is not', async () => {
  const { owner, user } = await organization(parts)
  const links = await sentLinks(parts, { organizationId: owner.organizationId, ...user })
  await change(owner)
  expect(await links.working()).toEqual(['email_verification'])
})

test('a wrong current password changes nothing and counts like a failed login', async () => {
  const { owner, user } = await organization(parts)
  const issue = { code: 'VALIDATION_ERROR', details: { issues: [{ path: 'currentPassword' }] } }
  for (let i = 0; i < 10; i += 1) await expect(change(owner, 'not the password')).rejects.toMatchObject(issue)
  await expect(change(owner)).rejects.toMatchObject({ code: 'RATE_LIMIT_EXCEEDED' })
  await expect(login(user.email, PASSWORD)).rejects.toMatchObject({ code: 'RATE_LIMIT_EXCEEDED' })
  parts.clock.advance(15 * 60_000)
  await login(user.email, PASSWORD)
})

test('the new password differs from the current one', async () => {
  const { owner } = await organization(parts)
  const issue = { code: 'VALIDATION_ERROR', details: { issues: [{ path: 'newPassword' }] } }
  await expect(change(owner, PASSWORD, PASSWORD)).rejects.toMatchObject(issue)
})

test('their own password replaces a one-time password, and lifts its restriction', async () => {
  const { owner } = await organization(parts)
  const { id, email } = await newMember(parts, owner, 'viewer')
  const password = 'another horse entirely'
  await updateMember({ ...parts, assignedPasswords: 'one-time' }, { actor: owner, memberId: id, changes: { password } })
  const { accessToken } = await login(email, password)
  const restricted = await credentialOf(parts, accessToken)
  expect(restricted).toMatchObject({ passwordChangeRequired: true })
  await change(restricted, password)
  expect(await credentialOf(parts, accessToken)).not.toHaveProperty('passwordChangeRequired')
  parts.clock.advance(30 * 86_400_000)
  expect(await login(email, OWN)).not.toHaveProperty('passwordChangeRequired')
})

test('a session that ended cannot change the password', async () => {
  const { owner } = await organization(parts)
  const { id, credential } = await newMember(parts, owner, 'viewer')
  await updateMember(parts, { actor: owner, memberId: id, changes: { password: 'another horse entirely' } })
  await expect(change(credential)).rejects.toMatchObject(unauthorized)
})

test('one of two concurrent changes succeeds', async () => {
  const { owner } = await organization(parts)
  const outcomes = await Promise.allSettled([change(owner), change(owner, PASSWORD, `${OWN} too`)])
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
})

test('a change commits together with the caller’s transaction', async () => {
  const { owner, user } = await organization(parts)
  const transact = failingTransact<ChangedPassword>(parts.db, 'the response was not recorded')
  const input = { currentPassword: PASSWORD, newPassword: OWN, address }
  await expect(changePassword(parts, owner, input, transact)).rejects.toThrow('not recorded')
  expect(await login(user.email, PASSWORD)).toBeDefined()
})
