// Also tested in: identity/sessions/refresh-session.test.ts (each refresh issues new tokens),
// identity/sessions/authenticate-bearer.test.ts (an access token is valid for one hour).

import { expect, test } from 'vitest'
import { identityFixture, organization, SESSION_LIMITS } from '../../../testing/identity/identity-fixture.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { inTransaction } from '../../database/index.ts'
import { addMilliseconds } from '../../kernel/index.ts'
import { authenticateBearer } from './authenticate-bearer.ts'
import { refreshSession } from './refresh-session.ts'
import { issueTokens, openSession } from './session.ts'

const parts = useFixture(identityFixture)

const tokensOf = (sessionId: number) =>
  parts.db.selectFrom('refresh_tokens').selectAll().where('session_id', '=', sessionId).execute()

test('a session stores its refresh token as a keyed hash, valid for thirty days, and no access token', async () => {
  const { accessToken, refreshToken, owner } = await organization(parts)
  const [stored, ...others] = await tokensOf(owner.sessionId)
  expect(others).toEqual([])
  expect(stored).toMatchObject({
    used_at: null,
    expires_at: addMilliseconds(parts.clock.now(), SESSION_LIMITS.idleMs),
  })
  const text = JSON.stringify({ ...stored, token_hash: stored!.token_hash.toString('latin1') })
  for (const secret of [refreshToken, accessToken]) expect(text).not.toContain(secret)
  expect(refreshToken).toMatch(/^[0-9A-Za-z]{43}$/)
})

test('tokens work from the moment their session is committed, and never if it is not', async () => {
  const { user, organization: home } = await organization(parts)
  const account = { user, organization: home }
  let early = ''
  const opened = await inTransaction(parts.db, async (tx) => {
    const session = await openSession(tx, parts, account)
    early = session.accessToken
    expect(await authenticateBearer(parts, early)).toBeUndefined()
    return session
  })
  expect(await authenticateBearer(parts, early)).toMatchObject({ userId: user.id })
  expect(await refreshSession(parts, { refreshToken: opened.refreshToken })).toMatchObject(account)

  let lost: { accessToken: string; refreshToken: string } | undefined
  const failed = inTransaction(parts.db, async (tx) => {
    lost = await openSession(tx, parts, account)
    throw new Error('not committed')
  })
  await expect(failed).rejects.toThrow('not committed')
  expect(await authenticateBearer(parts, lost!.accessToken)).toBeUndefined()
  await expect(refreshSession(parts, { refreshToken: lost!.refreshToken })).rejects.toMatchObject({
    code: 'UNAUTHORIZED',
  })
})

test('further tokens belong to the same session and leave the earlier ones valid', async () => {
  const { user, organization: home, accessToken, owner } = await organization(parts)
  const account = { user, organization: home }
  const session = { id: owner.sessionId, createdAt: parts.clock.now() }
  const more = await inTransaction(parts.db, (tx) => issueTokens(tx, parts, account, session))
  expect(await authenticateBearer(parts, more.accessToken)).toMatchObject({ sessionId: owner.sessionId })
  expect(await authenticateBearer(parts, accessToken)).toBeDefined()
  expect(await tokensOf(owner.sessionId)).toHaveLength(2)
})
