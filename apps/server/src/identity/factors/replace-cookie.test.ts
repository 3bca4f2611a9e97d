// Also tested in: surfaces/core/identity/sessions/replaced-cookie.test.ts (each route that replaces it).

import { expect, test } from 'vitest'
import { enrollTotp } from '../../../testing/identity/enroll-factors.ts'
import { identityFixture, organization, PASSWORD } from '../../../testing/identity/identity-fixture.ts'
import { logIn } from '../../../testing/identity/log-in.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { deleteOldRows, inTransaction } from '../../database/index.ts'
import { REPLACED_COOKIE_LIFETIME_MS } from '../../kernel/index.ts'
import { authenticateCookie } from '../sessions/authenticate-cookie.ts'
import { logOut } from '../sessions/log-out.ts'
import { refreshSession } from '../sessions/refresh-session.ts'
import { sessionRetentions } from '../sessions/session-retentions.ts'
import type { UserCredential } from '../shared/credential.ts'
import { replaceCookie } from './replace-cookie.ts'

const parts = useFixture(identityFixture)

/** The cookie of a browser that signs in, and its user. */
async function signIn() {
  const { user } = await organization(parts)
  const client = { address: '192.0.2.1', isBrowser: true }
  const { refreshToken: cookie } = await logIn(parts, {
    email: user.email,
    password: PASSWORD,
    address: client.address,
    client,
  })
  return { cookie, actor: (await authenticateCookie(parts, cookie))! }
}
const replace = (actor: UserCredential) => inTransaction(parts.db, (tx) => replaceCookie(tx, parts, actor))
const read = (cookie: string) => authenticateCookie(parts, cookie)

test('the old cookie still reads for half a minute, and never again', async () => {
  const { cookie, actor } = await signIn()
  const next = await replace(actor)
  expect(await read(next!)).toMatchObject({ sessionId: actor.sessionId, cookie: { isReplaced: false } })
  parts.clock.advance(REPLACED_COOKIE_LIFETIME_MS - 1)
  expect(await read(cookie)).toMatchObject({ sessionId: actor.sessionId, cookie: { isReplaced: true } })
  parts.clock.advance(1)
  expect(await read(cookie)).toBeUndefined()
  await deleteOldRows(parts, sessionRetentions(parts))
  expect(await read(cookie)).toBeUndefined()
  expect(await read(next!)).toBeDefined()
})

test('use of the old cookie does not extend it, and it is no refresh token', async () => {
  const { cookie, actor } = await signIn()
  parts.clock.advance(3_600_000)
  const next = await replace(actor)
  expect(await read(cookie)).toBeDefined()
  await expect(refreshSession(parts, { refreshToken: cookie })).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
  parts.clock.advance(REPLACED_COOKIE_LIFETIME_MS)
  expect(await read(cookie)).toBeUndefined()
  expect(await read(next!)).toBeDefined()
})

test('the old cookie gets no new one, also where two requests replace it at once', async () => {
  const { cookie, actor } = await signIn()
  const both = await Promise.all([replace(actor), replace(actor)])
  expect(both.filter((value) => value !== undefined)).toHaveLength(1)
  expect(await replace((await read(cookie))!)).toBeUndefined()
})

test('the new cookie ends with its session, at the time that the old one had', async () => {
  const { actor } = await signIn()
  const next = (await replace(actor))!
  await logOut(parts, actor)
  expect(await read(next)).toBeUndefined()
  const rows = await parts.db
    .selectFrom('refresh_tokens')
    .select(['used_at', 'expires_at'])
    .where('organization_id', '=', actor.organizationId)
    .where('session_id', '=', actor.sessionId)
    .orderBy('expires_at')
    .execute()
  expect(rows).toMatchObject([{ used_at: expect.any(Date) }, { used_at: null }])
  expect(rows[1]!.expires_at.getTime()).toBeGreaterThan(parts.clock.now().getTime() + 86_400_000)
})

test('a client with tokens gets no cookie', async () => {
  const { owner } = await organization(parts)
  expect(await replace(owner)).toBeUndefined()
})

test('nothing is replaced where the transaction fails', async () => {
  const { cookie, actor } = await signIn()
  const failed = inTransaction(parts.db, async (tx) => {
    await replaceCookie(tx, parts, actor)
    throw new Error('not recorded')
  })
  await expect(failed).rejects.toThrow('not recorded')
  expect(await read(cookie)).toMatchObject({ cookie: { isReplaced: false } })
})

test('a first factor gives its browser another cookie', async () => {
  const { cookie, actor } = await signIn()
  await enrollTotp(parts, actor)
  expect(await read(cookie)).toMatchObject({ cookie: { isReplaced: true } })
})
