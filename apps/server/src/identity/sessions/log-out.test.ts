import { expect, test } from 'vitest'
import { identityFixture, organization, PASSWORD } from '../../../testing/identity/identity-fixture.ts'
import { logIn } from '../../../testing/identity/log-in.ts'
import { failingTransact } from '../../../testing/index.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { authenticateBearer } from './authenticate-bearer.ts'
import { getAccount } from './get-account.ts'
import { logOut } from './log-out.ts'
import { refreshSession } from './refresh-session.ts'

const parts = useFixture(identityFixture)

const unauthorized = { code: 'UNAUTHORIZED' }

test('a log-out ends the access token and the refresh token of the session', async () => {
  const { accessToken, refreshToken, owner } = await organization(parts)
  await logOut(parts, owner)
  expect(await authenticateBearer(parts, accessToken)).toBeUndefined()
  await expect(refreshSession(parts, { refreshToken })).rejects.toMatchObject(unauthorized)
  await expect(getAccount(parts, owner)).rejects.toMatchObject(unauthorized)
})

test('a log-out ends its own session and no other', async () => {
  const { user, owner } = await organization(parts)
  const other = await logIn(parts, { email: user.email, password: PASSWORD, address: '192.0.2.1' })
  const stranger = await organization(parts)
  await logOut(parts, owner)
  expect(await authenticateBearer(parts, other.accessToken)).toBeDefined()
  expect(await authenticateBearer(parts, stranger.accessToken)).toBeDefined()
})

test('a second log-out keeps the time of the first', async () => {
  const { owner } = await organization(parts)
  const endedAt = async () =>
    await parts.db.selectFrom('sessions').select('revoked_at').where('id', '=', owner.sessionId).executeTakeFirst()
  await logOut(parts, owner)
  const first = await endedAt()
  parts.clock.advance(60_000)
  await logOut(parts, owner)
  expect(await endedAt()).toEqual(first)
})

test('a log-out that fails to commit leaves the session open', async () => {
  const { owner, accessToken } = await organization(parts)
  await expect(logOut(parts, owner, failingTransact<void>(parts.db, 'the audit entry failed'))).rejects.toThrow(
    'failed',
  )
  expect(await authenticateBearer(parts, accessToken)).toBeDefined()
})
