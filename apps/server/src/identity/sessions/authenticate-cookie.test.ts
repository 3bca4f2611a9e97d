// Also tested in: surfaces/core/identity/sessions/browser-session.test.ts (requests of other sites), identity/sessions/log-out.test.ts.

import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type IdentityFixture,
  identityFixture,
  organization,
  PASSWORD,
  SESSION_LIMITS,
} from '../../../testing/identity/identity-fixture.ts'
import { logIn } from '../../../testing/identity/log-in.ts'
import { deleteOldRows } from '../../database/index.ts'
import { authenticateCookie } from './authenticate-cookie.ts'
import { logOut } from './log-out.ts'
import { refreshSession } from './refresh-session.ts'
import { sessionRetentions } from './session-retentions.ts'

let parts: IdentityFixture
beforeAll(async () => {
  parts = await identityFixture()
})
afterAll(() => parts?.close())

const DAY = 86_400_000

/** The cookie of a browser that signs in. */
async function signIn() {
  const { user } = await organization(parts)
  const client = { address: '192.0.2.1', isBrowser: true }
  const session = await logIn(parts, { email: user.email, password: PASSWORD, address: client.address, client })
  return { cookie: session.refreshToken, userId: user.id }
}

test('a cookie names its user until the session ends', async () => {
  const { cookie, userId } = await signIn()
  const credential = await authenticateCookie(parts, cookie)
  expect(credential).toMatchObject({ kind: 'user', userId, role: 'owner' })
  await logOut(parts, credential!)
  expect(await authenticateCookie(parts, cookie)).toBeUndefined()
})

test('use extends a session beyond its idle limit, and never beyond the absolute one', async () => {
  const { cookie } = await signIn()
  for (let day = 20; day < SESSION_LIMITS.maxMs / DAY; day += 20) {
    parts.clock.advance(20 * DAY)
    await deleteOldRows(parts, sessionRetentions(parts))
    expect(await authenticateCookie(parts, cookie), `after ${day} days`).toBeDefined()
  }
  parts.clock.advance(20 * DAY)
  expect(await authenticateCookie(parts, cookie)).toBeUndefined()
})

test('a session that is not used ends at its idle limit', async () => {
  const { cookie } = await signIn()
  parts.clock.advance(SESSION_LIMITS.idleMs)
  expect(await authenticateCookie(parts, cookie)).toBeUndefined()
})

test('a cookie is no refresh token, and a refresh token is no cookie', async () => {
  const { cookie } = await signIn()
  await expect(refreshSession(parts, { refreshToken: cookie })).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
  expect(await authenticateCookie(parts, cookie)).toBeDefined()
  const { refreshToken } = await organization(parts)
  expect(await authenticateCookie(parts, refreshToken)).toBeUndefined()
  expect(await refreshSession(parts, { refreshToken })).toBeDefined()
})

test('a second sign-in gets another cookie, whatever the browser sent', async () => {
  const { cookie } = await signIn()
  expect((await signIn()).cookie).not.toBe(cookie)
  expect(await authenticateCookie(parts, 'x'.repeat(43))).toBeUndefined()
})
