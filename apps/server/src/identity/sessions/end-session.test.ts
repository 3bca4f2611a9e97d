import { expect, test } from 'vitest'
import { credentialOf, identityFixture, organization, PASSWORD } from '../../../testing/identity/identity-fixture.ts'
import { logIn } from '../../../testing/identity/log-in.ts'
import { newMember } from '../../../testing/identity/new-member.ts'
import { failingTransact } from '../../../testing/index.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { authenticateBearer } from './authenticate-bearer.ts'
import { endSession } from './end-session.ts'
import { refreshSession } from './refresh-session.ts'

const parts = useFixture(identityFixture)

const notFound = { code: 'NOT_FOUND' }

test('an ended session neither authenticates nor refreshes, and the others continue', async () => {
  const { owner, user, accessToken } = await organization(parts)
  const second = await logIn(parts, { email: user.email, password: PASSWORD, address: '192.0.2.1' })
  const { sessionId } = await credentialOf(parts, second.accessToken)
  await endSession(parts, owner, sessionId)
  expect(await authenticateBearer(parts, second.accessToken)).toBeUndefined()
  const refreshed = refreshSession(parts, { refreshToken: second.refreshToken })
  await expect(refreshed).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
  expect(await authenticateBearer(parts, accessToken)).toBeDefined()
  await expect(endSession(parts, owner, sessionId)).rejects.toMatchObject(notFound)
})

test('the session of a colleague or of a stranger does not exist', async () => {
  const { owner, accessToken } = await organization(parts)
  const colleague = await newMember(parts, owner, 'owner')
  const stranger = await organization(parts)
  for (const other of [colleague.credential, stranger.owner])
    await expect(endSession(parts, other, owner.sessionId)).rejects.toMatchObject(notFound)
  expect(await authenticateBearer(parts, accessToken)).toBeDefined()
})

test('the session ends together with the caller’s transaction', async () => {
  const { owner, accessToken } = await organization(parts)
  const transact = failingTransact<void>(parts.db, 'the response was not recorded')
  await expect(endSession(parts, owner, owner.sessionId, transact)).rejects.toThrow('not recorded')
  expect(await authenticateBearer(parts, accessToken)).toBeDefined()
})
