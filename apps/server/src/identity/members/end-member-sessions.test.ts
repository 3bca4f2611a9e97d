import { expect, test } from 'vitest'
import { identityFixture, organization, PASSWORD } from '../../../testing/identity/identity-fixture.ts'
import { logIn } from '../../../testing/identity/log-in.ts'
import { newMember } from '../../../testing/identity/new-member.ts'
import { failingTransact } from '../../../testing/index.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { authenticateBearer } from '../sessions/authenticate-bearer.ts'
import { endMemberSessions } from './end-member-sessions.ts'

const parts = useFixture(identityFixture)

test('all sessions of the member end, and nobody else’s', async () => {
  const { owner, accessToken: owners } = await organization(parts)
  const admin = (await newMember(parts, owner, 'admin')).credential
  const { id, email, accessToken } = await newMember(parts, owner, 'viewer')
  const second = await logIn(parts, { email, password: PASSWORD, address: '192.0.2.1' })
  expect(await endMemberSessions(parts, admin, id)).toBe(2)
  for (const token of [accessToken, second.accessToken]) expect(await authenticateBearer(parts, token)).toBeUndefined()
  expect(await authenticateBearer(parts, owners)).toBeDefined()
  expect(await endMemberSessions(parts, admin, id)).toBe(0)
})

test('the session that asks continues', async () => {
  const { owner, user, accessToken } = await organization(parts)
  await logIn(parts, { email: user.email, password: PASSWORD, address: '192.0.2.1' })
  expect(await endMemberSessions(parts, owner, owner.userId)).toBe(1)
  expect(await authenticateBearer(parts, accessToken)).toBeDefined()
})

test('an admin cannot end the sessions of an owner, and nobody those of another organization', async () => {
  const { owner, accessToken } = await organization(parts)
  const { owner: stranger } = await organization(parts)
  const admin = (await newMember(parts, owner, 'admin')).credential
  await expect(endMemberSessions(parts, admin, owner.userId)).rejects.toMatchObject({ code: 'FORBIDDEN' })
  await expect(endMemberSessions(parts, stranger, owner.userId)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  expect(await authenticateBearer(parts, accessToken)).toBeDefined()
})

test('the sessions end together with the caller’s transaction', async () => {
  const { owner } = await organization(parts)
  const { id, accessToken } = await newMember(parts, owner, 'viewer')
  const transact = failingTransact<number>(parts.db, 'the response was not recorded')
  await expect(endMemberSessions(parts, owner, id, transact)).rejects.toThrow('not recorded')
  expect(await authenticateBearer(parts, accessToken)).toBeDefined()
})
