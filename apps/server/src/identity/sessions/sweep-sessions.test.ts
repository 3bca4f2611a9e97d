import { afterAll, beforeAll, expect, test } from 'vitest'
import { type IdentityFixture, identityFixture, organization } from '../../../testing/identity-fixture.ts'
import { REFRESH_TOKEN_SECONDS } from '../../kernel/index.ts'
import { authenticateBearer } from './authenticate-bearer.ts'
import { refreshSession } from './refresh-session.ts'
import { sweepSessions } from './sweep-sessions.ts'

let parts: IdentityFixture
beforeAll(async () => {
  parts = await identityFixture()
})
afterAll(() => parts.close())

test('a sweep removes expired sessions and nothing in use', async () => {
  const month = REFRESH_TOKEN_SECONDS * 1_000
  await organization(parts)
  const active = await organization(parts)
  parts.clock.advance(month / 2)
  const renewed = await refreshSession(parts, active.refreshToken)
  expect(await sweepSessions(parts)).toBe(0)
  parts.clock.advance(month / 2)
  expect(await sweepSessions(parts)).toBe(1)
  const again = await refreshSession(parts, renewed.refreshToken)
  expect(await authenticateBearer(parts, again.accessToken)).toBeDefined()
  // The spent token has not expired yet, so its reuse still ends the session.
  await expect(refreshSession(parts, renewed.refreshToken)).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
  expect(await authenticateBearer(parts, again.accessToken)).toBeUndefined()
})
