import { expect, test } from 'vitest'
import { overlap } from '../../../../testing/database/overlap.ts'
import { enrollTotp } from '../../../../testing/identity/enroll-factors.ts'
import { newMember } from '../../../../testing/identity/new-member.ts'
import { organizationWithSso, providerInput, ssoFixture } from '../../../../testing/identity/sso-fixture.ts'
import { failingTransact } from '../../../../testing/index.ts'
import { useFixture } from '../../../../testing/use-fixture.ts'
import type { Transact } from '../../../database/index.ts'
import { endMemberSessions } from '../../members/end-member-sessions.ts'
import { removeMember } from '../../members/remove-member.ts'
import { authenticateBearer } from '../../sessions/authenticate-bearer.ts'
import { completeLogIn } from '../../sessions/complete-log-in.ts'
import type { LoginResult } from '../../sessions/log-in.ts'
import { tokenHash } from '../../shared/token-hash.ts'
import { createProvider } from '../providers/create-provider.ts'
import { deleteProvider } from '../providers/delete-provider.ts'
import { type CodeExchange, exchangeSignInCode } from './exchange-code.ts'
import { createToken } from './sign-in-secrets.ts'
import { unlinkMember } from './unlink-member.ts'

const parts = useFixture(ssoFixture)

/** A finished sign-in of a new member, who has a second factor of their own if there is to be one. */
async function finished({ secondFactor = false, enrolls = false } = {}) {
  const { owner, provider } = await organizationWithSso(parts)
  const member = await newMember(parts, owner, 'viewer')
  const totp = enrolls ? await enrollTotp(parts, member.credential) : undefined
  parts.clock.advance(60_000)
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
  return { owner, provider, member, totp, code }
}

type Finished = Awaited<ReturnType<typeof finished>>

/** The session of a member without a second factor of their own. */
async function opened(input: CodeExchange) {
  const result = await exchangeSignInCode(parts, input)
  if ('secondFactorRequired' in result) throw new Error('the user has a second factor')
  return result
}

/** Exchanges the code of a member with a second factor; returns what completes the login that waits for it. */
async function waitingLogin({ totp, code }: Finished, transact?: Transact<LoginResult>) {
  const challenge = await exchangeSignInCode(parts, { code }, transact)
  if (totp === undefined || !('secondFactorRequired' in challenge)) throw new Error('no second factor was required')
  expect(challenge).toMatchObject({ factors: ['totp'], expiresIn: 300 })
  const { challengeToken } = challenge
  const address = '192.0.2.7'
  return () => completeLogIn(parts, { challengeToken, factor: { totp: totp.code() }, address, client: { address } })
}

const invalid = { code: 'UNAUTHORIZED' }
/** What the organization sees among its security events. */
const reusedBy = ({ id, credential: { organizationId } }: Finished['member']) => ({
  reason: 'sso_code_reused',
  organizationId,
  actor: { type: 'user', id },
})

test('a code opens one session of its member; used twice, it ends the session', async () => {
  const { member, code } = await finished()
  const client = { address: '192.0.2.7', userAgent: 'test' }
  await expect(exchangeSignInCode(parts, { code }, failingTransact(parts.db, 'the response'))).rejects.toThrow()
  const session = await opened({ code, client })
  expect(session.user.id).toBe(member.id)
  expect(await authenticateBearer(parts, session.accessToken)).toMatchObject({ userId: member.id })
  await expect(exchangeSignInCode(parts, { code })).rejects.toMatchObject({ ...invalid, refusal: reusedBy(member) })
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
  const refusal = { reason: 'invalid_sso_code' }
  await expect(exchangeSignInCode(parts, { code: 'x'.repeat(43) })).rejects.toMatchObject({ ...invalid, refusal })
})

test('what ends the sessions of a member ends a sign-in that is not exchanged yet, and those of others continue', async () => {
  const ended = await finished()
  const unlinked = await finished()
  const other = await finished()
  await endMemberSessions(parts, ended.owner, ended.member.id)
  await unlinkMember(parts, unlinked.owner, unlinked.member.id)
  await endMemberSessions(parts, other.owner, other.owner.userId)
  await expect(exchangeSignInCode(parts, ended)).rejects.toMatchObject(invalid)
  await expect(exchangeSignInCode(parts, unlinked)).rejects.toMatchObject(invalid)
  expect((await opened(other)).user.id).toBe(other.member.id)
})

test('a session that a code opens while all sessions of the member end, ends too', async () => {
  const { owner, member, code } = await finished()
  const ending = overlap(parts.db, () => endMemberSessions(parts, owner, member.id))
  const result = await exchangeSignInCode(parts, { code }, ending.transact)
  if ('secondFactorRequired' in result) throw new Error('the user has a second factor')
  // The session of the log-in, and that of the code.
  expect(await ending.outcome()).toBe(2)
  expect(await authenticateBearer(parts, result.accessToken)).toBeUndefined()
})

test('a code that is exchanged once all sessions of the member have ended, opens none', async () => {
  const { owner, member, code } = await finished()
  const exchange = overlap(parts.db, () => exchangeSignInCode(parts, { code }))
  await endMemberSessions(parts, owner, member.id, exchange.transact)
  await expect(exchange.outcome()).rejects.toMatchObject(invalid)
})

test('a deleted provider ends a login through it that waits for a second factor', async () => {
  const signIn = await finished({ enrolls: true })
  const complete = await waitingLogin(signIn)
  await deleteProvider(parts, signIn.owner, signIn.provider.id)
  await expect(complete()).rejects.toMatchObject({ details: { reason: 'challenge_expired' } })
})

test('a provider that is deleted during the exchange ends the login that waits for a second factor', async () => {
  const signIn = await finished({ enrolls: true })
  const deletion = overlap(parts.db, () => deleteProvider(parts, signIn.owner, signIn.provider.id))
  const complete = await waitingLogin(signIn, deletion.transact)
  await deletion.outcome()
  await expect(complete()).rejects.toMatchObject({ details: { reason: 'challenge_expired' } })
})

test('a deleted provider ends no login that waits through another one', async () => {
  const signIn = await finished({ enrolls: true })
  const other = await createProvider(parts, signIn.owner, providerInput())
  const complete = await waitingLogin(signIn)
  await deleteProvider(parts, signIn.owner, other.id)
  expect((await complete()).user.id).toBe(signIn.member.id)
})

test('one of several exchanges of one code at once opens a session, which then ends', async () => {
  const { code, member } = await finished()
  const outcomes = await Promise.allSettled([0, 1, 2, 3].map(() => opened({ code })))
  const sessions = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
  expect(sessions).toHaveLength(1)
  expect(sessions[0]!.user.id).toBe(member.id)
  expect(await authenticateBearer(parts, sessions[0]!.accessToken)).toBeUndefined()
})

test('a provider that asked for no second factor opens no session of a member who has one', async () => {
  const signIn = await finished({ enrolls: true })
  const complete = await waitingLogin(signIn)
  expect((await complete()).user.id).toBe(signIn.member.id)
})

test('a code that is used twice ends the login that waits for a second factor', async () => {
  const signIn = await finished({ enrolls: true })
  const complete = await waitingLogin(signIn)
  const refusal = reusedBy(signIn.member)
  await expect(exchangeSignInCode(parts, signIn)).rejects.toMatchObject({ ...invalid, refusal })
  await expect(complete()).rejects.toMatchObject({ details: { reason: 'challenge_expired' } })
})

test('a provider that asked for a second factor opens a session, which is not stepped up', async () => {
  const { code } = await finished({ secondFactor: true, enrolls: true })
  const session = await opened({ code })
  expect(await authenticateBearer(parts, session.accessToken)).toMatchObject({
    secondFactor: { kinds: ['totp'], isStale: true },
  })
})
