// Also tested in: identity/sessions/session-retentions.test.ts (a consumed token still ends its session until it would have expired).

import { describe, expect, test } from 'vitest'
import { identityFixture, organization, PASSWORD, SESSION_LIMITS } from '../../../testing/identity/identity-fixture.ts'
import { logIn } from '../../../testing/identity/log-in.ts'
import { failingTransact } from '../../../testing/index.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { keyRing } from '../../kernel/index.ts'
import { updateMember } from '../members/update-member.ts'
import { authenticateBearer } from './authenticate-bearer.ts'
import { listSessions } from './list-sessions.ts'
import { refreshSession } from './refresh-session.ts'

const parts = useFixture(identityFixture)

const address = '192.0.2.1'
const unauthorized = { code: 'UNAUTHORIZED' }

describe('a refresh', () => {
  test('issues new tokens for a session, as often as it is repeated in sequence', async () => {
    let { refreshToken } = await organization(parts)
    const tokens = new Set([refreshToken])
    for (let i = 0; i < 5; i += 1) {
      parts.clock.advance(3_600_000)
      const next = await refreshSession(parts, { refreshToken })
      expect(await authenticateBearer(parts, next.accessToken)).toBeDefined()
      refreshToken = next.refreshToken
      tokens.add(refreshToken)
    }
    expect(tokens.size).toBe(6)
  })

  test('also issues another access token, even within the same second', async () => {
    const { accessToken, refreshToken } = await organization(parts)
    const first = await refreshSession(parts, { refreshToken })
    const second = await refreshSession(parts, { refreshToken: first.refreshToken })
    expect(new Set([accessToken, first.accessToken, second.accessToken]).size).toBe(3)
  })

  test('works with a token of an older pepper of the ring, and ends the session when that token is used again', async () => {
    const { refreshToken } = await organization(parts)
    const pepper = keyRing([['2026b', 'another pepper of the tests'], ...parts.secrets.pepper.keys])
    const rotated = { ...parts, secrets: { ...parts.secrets, pepper } }
    const next = await refreshSession(rotated, { refreshToken })
    await expect(refreshSession(parts, { refreshToken: next.refreshToken })).rejects.toMatchObject(unauthorized)
    const last = await refreshSession(rotated, { refreshToken: next.refreshToken })
    await expect(refreshSession(rotated, { refreshToken })).rejects.toMatchObject(unauthorized)
    await expect(refreshSession(rotated, { refreshToken: last.refreshToken })).rejects.toMatchObject(unauthorized)
  })

  test('shows a role that changed since', async () => {
    const { refreshToken, owner } = await organization(parts)
    await updateMember(parts, { actor: owner, memberId: owner.userId, changes: { name: 'Renamed' } })
    expect((await refreshSession(parts, { refreshToken })).user).toMatchObject({ name: 'Renamed', role: 'owner' })
  })

  test('with a used token ends the whole session, for every holder of its tokens', async () => {
    const { refreshToken, user } = await organization(parts)
    const other = await logIn(parts, { email: user.email, password: PASSWORD, address })
    const second = await refreshSession(parts, { refreshToken })
    const third = await refreshSession(parts, { refreshToken: second.refreshToken })
    await expect(refreshSession(parts, { refreshToken })).rejects.toMatchObject(unauthorized)
    await expect(refreshSession(parts, { refreshToken: third.refreshToken })).rejects.toMatchObject(unauthorized)
    expect(await authenticateBearer(parts, third.accessToken)).toBeUndefined()
    expect(await authenticateBearer(parts, other.accessToken)).toBeDefined()
  })

  test('with one token several times concurrently is a reuse: at most one gets tokens, and they are invalid', async () => {
    const { refreshToken, accessToken } = await organization(parts)
    const outcomes = await Promise.allSettled(Array.from({ length: 5 }, () => refreshSession(parts, { refreshToken })))
    const granted = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
    expect(granted).toHaveLength(1)
    expect(await authenticateBearer(parts, granted[0]!.accessToken)).toBeUndefined()
    await expect(refreshSession(parts, { refreshToken: granted[0]!.refreshToken })).rejects.toMatchObject(unauthorized)
    expect(await authenticateBearer(parts, accessToken)).toBeUndefined()
  })

  test('that fails to commit leaves the token valid', async () => {
    const { refreshToken } = await organization(parts)
    const fails = refreshSession(parts, { refreshToken }, failingTransact(parts.db, 'the response was not recorded'))
    await expect(fails).rejects.toThrow('not recorded')
    expect(await refreshSession(parts, { refreshToken })).toMatchObject({ expiresIn: 3_600 })
  })

  test('cannot extend a session beyond its absolute limit, however often it is repeated', async () => {
    let { refreshToken, accessToken } = await organization(parts)
    const days = 24 * 3_600_000
    for (let day = 0; day < 80; day += 20) {
      parts.clock.advance(20 * days)
      ;({ refreshToken, accessToken } = await refreshSession(parts, { refreshToken }))
    }
    parts.clock.advance(10 * days - 1_000)
    ;({ refreshToken, accessToken } = await refreshSession(parts, { refreshToken }))
    expect(await authenticateBearer(parts, accessToken)).toBeDefined()
    parts.clock.advance(1_000)
    expect(await authenticateBearer(parts, accessToken)).toBeUndefined()
    await expect(refreshSession(parts, { refreshToken })).rejects.toMatchObject(unauthorized)
  })

  test('observes limits that the operator lowered after the session began', async () => {
    const { refreshToken, accessToken } = await organization(parts)
    parts.clock.advance(3_000_000)
    const shorter = { ...parts, sessionLimits: { idleMs: 3_000_000, maxMs: SESSION_LIMITS.maxMs } }
    const younger = { ...parts, sessionLimits: { idleMs: SESSION_LIMITS.idleMs, maxMs: 3_000_000 } }
    for (const limited of [shorter, younger]) {
      expect(await authenticateBearer(limited, accessToken)).toBeUndefined()
      await expect(refreshSession(limited, { refreshToken })).rejects.toMatchObject(unauthorized)
    }
    expect(await refreshSession(parts, { refreshToken })).toBeDefined()
  })

  test('records when and from where the session was used', async () => {
    const { refreshToken, owner } = await organization(parts)
    const client = { address: '203.0.113.7', userAgent: `Browser/${'1'.repeat(500)}` }
    parts.clock.advance(60_000)
    const { refreshToken: next } = await refreshSession(parts, { refreshToken, client })
    const used = { lastUsedAt: parts.clock.now(), address: '203.0.113.7', userAgent: client.userAgent.slice(0, 200) }
    expect((await listSessions(parts, owner)).items).toMatchObject([used])
    await refreshSession(parts, { refreshToken: next })
    expect((await listSessions(parts, owner)).items).toMatchObject([used])
  })

  test('expires after thirty days without use', async () => {
    const { refreshToken } = await organization(parts)
    parts.clock.advance(SESSION_LIMITS.idleMs)
    await expect(refreshSession(parts, { refreshToken })).rejects.toMatchObject(unauthorized)
    await expect(refreshSession(parts, { refreshToken: 'nonsense' })).rejects.toMatchObject(unauthorized)
  })
})
