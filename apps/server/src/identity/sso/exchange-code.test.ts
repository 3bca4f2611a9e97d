import { expect, test } from 'vitest'
import { enrollTotp } from '../../../testing/enroll-factors.ts'
import { failingTransact } from '../../../testing/index.ts'
import { newMember } from '../../../testing/new-member.ts'
import { organizationWithSso, ssoFixture } from '../../../testing/sso-fixture.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { removeMember } from '../members/remove-member.ts'
import { authenticateBearer } from '../sessions/authenticate-bearer.ts'
import { completeLogIn } from '../sessions/complete-log-in.ts'
import { tokenHash } from '../shared/token-hash.ts'
import { deleteProvider } from './delete-provider.ts'
import { type CodeExchange, exchangeSignInCode } from './exchange-code.ts'
import { createToken } from './sign-in-secrets.ts'

const parts = useFixture(ssoFixture)

/** A finished sign-in of a new member. */
async function finished(secondFactor = false) {
  const { owner, provider } = await organizationWithSso(parts)
  const member = await newMember(parts, owner, 'viewer')
  const code = createToken(parts.random)
  const at = parts.clock.now()
  await parts.db
    .insertInto('sso_sign_ins')
    .values({
      state_hash: tokenHash(createToken(parts.random)),
      browser_hash: tokenHash(createToken(parts.random)),
      organization_id: owner.organizationId,
      provider_id: provider.id,
      created_at: at,
      expires_at: at,
      returned_at: at,
      user_id: member.id,
      second_factor: secondFactor,
      code_hash: tokenHash(code),
      code_expires_at: new Date(at.getTime() + 120_000),
    })
    .execute()
  return { owner, provider, member, code }
}

/** The session of a member without a second factor of their own. */
async function opened(input: CodeExchange) {
  const result = await exchangeSignInCode(parts, input)
  if ('secondFactorRequired' in result) throw new Error('the user has a second factor')
  return result
}

const invalid = { code: 'UNAUTHORIZED' }

test('a code opens one session of its member; used twice, it ends the session', async () => {
  const { member, code } = await finished()
  const client = { address: '192.0.2.7', userAgent: 'test' }
  await expect(exchangeSignInCode(parts, { code }, failingTransact(parts.db, 'the response'))).rejects.toThrow()
  const session = await opened({ code, client })
  expect(session.user.id).toBe(member.id)
  expect(await authenticateBearer(parts, session.accessToken)).toMatchObject({ userId: member.id })
  await expect(exchangeSignInCode(parts, { code })).rejects.toMatchObject(invalid)
  expect(await authenticateBearer(parts, session.accessToken)).toBeUndefined()
  expect(await authenticateBearer(parts, member.accessToken)).toBeDefined()
})

test('a code is useless after two minutes, for a removed member, and for a deleted provider', async () => {
  const late = await finished()
  const removed = await finished()
  const deleted = await finished()
  await removeMember(parts, removed.owner, removed.member.id)
  await deleteProvider(parts, deleted.owner, deleted.provider.id)
  await expect(exchangeSignInCode(parts, removed)).rejects.toMatchObject(invalid)
  await expect(exchangeSignInCode(parts, deleted)).rejects.toMatchObject(invalid)
  parts.clock.advance(120_000)
  await expect(exchangeSignInCode(parts, late)).rejects.toMatchObject(invalid)
  await expect(exchangeSignInCode(parts, { code: 'x'.repeat(43) })).rejects.toMatchObject(invalid)
})

test('of several exchanges of one code at once, one opens a session, which then ends', async () => {
  const { code, member } = await finished()
  const outcomes = await Promise.allSettled([0, 1, 2, 3].map(() => opened({ code })))
  const sessions = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
  expect(sessions).toHaveLength(1)
  expect(sessions[0]!.user.id).toBe(member.id)
  expect(await authenticateBearer(parts, sessions[0]!.accessToken)).toBeUndefined()
})

test('a provider that asked for no second factor opens no session of a member who has one', async () => {
  const { member, code } = await finished()
  const totp = await enrollTotp(parts, member.credential)
  parts.clock.advance(60_000)
  const challenge = await exchangeSignInCode(parts, { code })
  if (!('secondFactorRequired' in challenge)) throw new Error('no second factor was required')
  expect(challenge).toMatchObject({ factors: ['totp'], expiresIn: 300 })
  const { challengeToken } = challenge
  const address = '192.0.2.7'
  const session = await completeLogIn(parts, {
    challengeToken,
    factor: { totp: totp.code() },
    address,
    client: { address },
  })
  expect(session.user.id).toBe(member.id)
})

test('a code that is used twice ends the login that waits for a second factor', async () => {
  const { member, code } = await finished()
  const totp = await enrollTotp(parts, member.credential)
  parts.clock.advance(60_000)
  const challenge = await exchangeSignInCode(parts, { code })
  if (!('secondFactorRequired' in challenge)) throw new Error('no second factor was required')
  await expect(exchangeSignInCode(parts, { code })).rejects.toMatchObject(invalid)
  const { challengeToken } = challenge
  const address = '192.0.2.7'
  const complete = completeLogIn(parts, { challengeToken, factor: { totp: totp.code() }, address, client: { address } })
  await expect(complete).rejects.toMatchObject({ details: { reason: 'challenge_expired' } })
})

test('a provider that asked for a second factor opens a session, which is not stepped up', async () => {
  const { member, code } = await finished(true)
  await enrollTotp(parts, member.credential)
  const session = await opened({ code })
  expect(await authenticateBearer(parts, session.accessToken)).toMatchObject({
    secondFactor: { kinds: ['totp'], isStale: true },
  })
})
