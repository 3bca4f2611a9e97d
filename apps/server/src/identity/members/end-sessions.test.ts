// Also tested in: identity/members/update-member.test.ts and identity/members/remove-member.test.ts (which changes end
// sessions).

import { expect, test } from 'vitest'
import { identityFixture, organization, PASSWORD } from '../../../testing/identity/identity-fixture.ts'
import { logIn } from '../../../testing/identity/log-in.ts'
import { newMember } from '../../../testing/identity/new-member.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { inTransaction } from '../../database/index.ts'
import { authenticateBearer } from '../sessions/authenticate-bearer.ts'
import { refreshSession } from '../sessions/refresh-session.ts'
import { endSessions } from './end-sessions.ts'

const parts = useFixture(identityFixture)

const end = (organizationId: number, id: number, except?: number) =>
  inTransaction(parts.db, (tx) => endSessions(tx, parts.clock.now(), { organizationId, id }, except))

test('all sessions of the member end, with their refresh tokens, and those of other members continue', async () => {
  const { owner, accessToken: owners } = await organization(parts)
  const { id, email, accessToken } = await newMember(parts, owner, 'viewer')
  const second = await logIn(parts, { email, password: PASSWORD, address: '192.0.2.1' })
  await end(owner.organizationId, id)
  expect(await authenticateBearer(parts, accessToken)).toBeUndefined()
  expect(await authenticateBearer(parts, second.accessToken)).toBeUndefined()
  await expect(refreshSession(parts, { refreshToken: second.refreshToken })).rejects.toMatchObject({
    code: 'UNAUTHORIZED',
  })
  expect(await authenticateBearer(parts, owners)).toBeDefined()
})

test('the excepted session continues', async () => {
  const { owner, user, accessToken } = await organization(parts)
  const other = await logIn(parts, { email: user.email, password: PASSWORD, address: '192.0.2.1' })
  await end(owner.organizationId, owner.userId, owner.sessionId)
  expect(await authenticateBearer(parts, accessToken)).toBeDefined()
  expect(await authenticateBearer(parts, other.accessToken)).toBeUndefined()
})

test('an ended session keeps the time of its end', async () => {
  const { owner } = await organization(parts)
  const endedAt = async () =>
    (
      await parts.db
        .selectFrom('sessions')
        .select('revoked_at')
        .where('id', '=', owner.sessionId)
        .executeTakeFirstOrThrow()
    ).revoked_at
  await end(owner.organizationId, owner.userId)
  const first = await endedAt()
  parts.clock.advance(60_000)
  await end(owner.organizationId, owner.userId)
  expect(await endedAt()).toEqual(first)
})
