import { expect, test } from 'vitest'
import { identityFixture, organization } from '../../../testing/identity/identity-fixture.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { consumeChallenge, findChallenge, issueChallenge } from './challenges.ts'

const parts = useFixture(identityFixture)

const issue = async (purpose: 'login' | 'step_up' = 'step_up') => {
  const { owner } = await organization(parts)
  const { organizationId, userId, sessionId } = owner
  return {
    holder: { organizationId, userId, sessionId },
    challenge: await issueChallenge(parts.db, parts, { purpose, user: owner, sessionId }),
  }
}

test('a challenge counts once, for its purpose, and names its holder', async () => {
  const { challenge, holder } = await issue()
  expect(Buffer.from(challenge, 'base64url')).toHaveLength(32)
  expect(await findChallenge(parts, challenge, 'step_up')).toEqual({ ...holder, purpose: 'step_up' })
  expect(await consumeChallenge(parts.db, parts, challenge, 'login')).toBeUndefined()
  expect(await consumeChallenge(parts.db, parts, challenge, 'step_up')).toEqual({ ...holder, purpose: 'step_up' })
  expect(await consumeChallenge(parts.db, parts, challenge, 'step_up')).toBeUndefined()
  expect(await findChallenge(parts, challenge, 'step_up')).toBeUndefined()
})

test('one of several concurrent uses counts', async () => {
  const { challenge } = await issue()
  const uses = Array.from({ length: 5 }, () => consumeChallenge(parts.db, parts, challenge, 'step_up'))
  expect((await Promise.all(uses)).filter(Boolean)).toHaveLength(1)
})

test('a challenge expires after five minutes, and later ones remove it', async () => {
  const { challenge } = await issue()
  parts.clock.advance(300_000)
  expect(await findChallenge(parts, challenge, 'step_up')).toBeUndefined()
  expect(await consumeChallenge(parts.db, parts, challenge, 'step_up')).toBeUndefined()
  await issue()
  expect(await parts.db.selectFrom('factor_challenges').select('purpose').execute()).toHaveLength(1)
})

test('a user has twenty open challenges at most', async () => {
  const { challenge, holder } = await issue()
  const { organizationId, userId } = holder
  parts.clock.advance(1_000)
  for (let i = 0; i < 20; i += 1)
    await issueChallenge(parts.db, parts, { purpose: 'login', user: { organizationId, userId } })
  expect(await findChallenge(parts, challenge, 'step_up')).toBeUndefined()
  const open = await parts.db.selectFrom('factor_challenges').select('purpose').where('user_id', '=', userId).execute()
  expect(open).toHaveLength(20)
})

test('the database holds no challenge that a passkey could be made to sign', async () => {
  const { challenge } = await issue()
  const rows = await parts.db.selectFrom('factor_challenges').selectAll().execute()
  const stored = JSON.stringify(rows.map(({ challenge_hash }) => challenge_hash.toString('base64url')))
  expect(stored).not.toContain(challenge)
})
