import { expect, test } from 'vitest'
import { identityFixture, organization, SESSION_LIMITS } from '../../../testing/identity/identity-fixture.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { deleteOldRows } from '../../database/index.ts'
import { authenticateBearer } from './authenticate-bearer.ts'
import { refreshSession } from './refresh-session.ts'
import { sessionRetentions } from './session-retentions.ts'

const parts = useFixture(identityFixture)

const sweep = async () => (await deleteOldRows(parts, sessionRetentions(parts))).get('sessions')

test('a sweep removes expired sessions and nothing in use', async () => {
  const month = SESSION_LIMITS.idleMs
  await organization(parts)
  const active = await organization(parts)
  parts.clock.advance(month / 2)
  const renewed = await refreshSession(parts, { refreshToken: active.refreshToken })
  expect(await sweep()).toBeUndefined()
  parts.clock.advance(month / 2)
  expect(await sweep()).toBe(1)
  const again = await refreshSession(parts, { refreshToken: renewed.refreshToken })
  expect(await authenticateBearer(parts, again.accessToken)).toBeDefined()
  // The consumed token has not expired yet, so its reuse still ends the session.
  await expect(refreshSession(parts, { refreshToken: renewed.refreshToken })).rejects.toMatchObject({
    code: 'UNAUTHORIZED',
  })
  expect(await authenticateBearer(parts, again.accessToken)).toBeUndefined()
})
