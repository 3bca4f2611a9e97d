// Also tested in: identity/sessions/refresh-session.test.ts (a refresh updates time, address and user agent).

import { expect, test } from 'vitest'
import { identityFixture, organization, PASSWORD } from '../../../testing/identity/identity-fixture.ts'
import { newMember } from '../../../testing/identity/new-member.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { endOtherSessions } from './end-other-sessions.ts'
import { listSessions } from './list-sessions.ts'
import { logIn } from './log-in.ts'

const parts = useFixture(identityFixture)

test('lists the user’s own open sessions, newest first, with where they were used', async () => {
  const { owner, user } = await organization(parts)
  await newMember(parts, owner, 'owner')
  const first = parts.clock.now()
  parts.clock.advance(60_000)
  const client = { address: '203.0.113.7', userAgent: 'curl/8' }
  await logIn(parts, { email: user.email, password: PASSWORD, address: '203.0.113.7', client })
  const { items, total } = await listSessions(parts, owner)
  const now = parts.clock.now()
  expect(total).toBe(2)
  expect(items).toEqual([
    { ...client, id: expect.any(Number), createdAt: now, lastUsedAt: now, isCurrent: false },
    { id: owner.sessionId, createdAt: first, lastUsedAt: first, address: null, userAgent: null, isCurrent: true },
  ])
  expect((await listSessions(parts, owner, { limit: 1, offset: 1 })).items).toMatchObject([{ id: owner.sessionId }])
})

test('omits sessions that were ended or have reached a limit', async () => {
  const { owner, user } = await organization(parts)
  await logIn(parts, { email: user.email, password: PASSWORD, address: '192.0.2.1' })
  await endOtherSessions(parts, owner)
  expect((await listSessions(parts, owner)).items).toMatchObject([{ id: owner.sessionId }])
  parts.clock.advance(parts.sessionLimits.idleMs)
  expect((await listSessions(parts, owner)).items).toEqual([])
})
