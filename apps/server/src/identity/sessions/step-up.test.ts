import { expect, test } from 'vitest'
import { enrollPasskey, enrollTotp } from '../../../testing/identity/enroll-factors.ts'
import { expectChanges } from '../../../testing/identity/expect-factors.ts'
import { credentialOf, identityFixture, organization, PASSWORD } from '../../../testing/identity/identity-fixture.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import type { UserCredential } from '../shared/credential.ts'
import { completeLogIn } from './complete-log-in.ts'
import { logIn } from './log-in.ts'
import { beginPasskeySignIn } from './passkey-sign-in.ts'
import { beginStepUp, stepUp } from './step-up.ts'

const parts = useFixture(identityFixture)

const address = '192.0.2.1'
const refused = { code: 'FORBIDDEN', details: { reason: 'factor_invalid' } }

async function stale() {
  const { owner, user, accessToken } = await organization(parts)
  const totp = await enrollTotp(parts, owner)
  const { authenticator } = await enrollPasskey(parts, owner)
  parts.clock.advance(900_000)
  return { actor: await credentialOf(parts, accessToken), user, accessToken, totp, authenticator }
}

/** Another session of the same user. */
async function anotherSession(email: string, code: string): Promise<UserCredential> {
  const login = await logIn(parts, { email, password: PASSWORD, address })
  if (!('secondFactorRequired' in login)) throw new Error('no second factor')
  const { challengeToken } = login
  const session = await completeLogIn(parts, { challengeToken, factor: { totp: code }, address, client: { address } })
  return await credentialOf(parts, session.accessToken)
}

test('a verification counts for fifteen minutes, on this session', async () => {
  const { actor, accessToken, totp } = await stale()
  expect(actor.secondFactor).toEqual({ kinds: ['totp', 'passkey'], isStale: true })
  const { until, cookie } = await stepUp(parts, actor, { factor: { totp: totp.code() }, address })
  expect(until.getTime()).toBe(parts.clock.now().getTime() + 900_000)
  expect(cookie).toBeUndefined()
  parts.clock.advance(899_999)
  expect((await credentialOf(parts, accessToken)).secondFactor).toMatchObject({ isStale: false })
  parts.clock.advance(1)
  expect((await credentialOf(parts, accessToken)).secondFactor).toMatchObject({ isStale: true })
})

test('a passkey steps up the session that asked for the challenge', async () => {
  const { actor, accessToken, authenticator } = await stale()
  const { challenge, allowCredentials } = await beginStepUp(parts, actor)
  expect(allowCredentials).toMatchObject([{ id: authenticator.credentialId }])
  await stepUp(parts, actor, { factor: { passkey: authenticator.get({ challenge }) }, address })
  expect((await credentialOf(parts, accessToken)).secondFactor).toMatchObject({ isStale: false })
})

test('a challenge of another session, user or purpose, or a used one, does not step up a session', async () => {
  const { actor, user, totp, authenticator } = await stale()
  const other = await stale()
  const elsewhere = await anotherSession(user.email, totp.code())
  const login = await logIn(parts, { email: user.email, password: PASSWORD, address })
  const used = (await beginStepUp(parts, actor)).challenge
  await stepUp(parts, actor, { factor: { passkey: authenticator.get({ challenge: used }) }, address })
  const challenges = [
    (await beginStepUp(parts, elsewhere)).challenge,
    (await beginStepUp(parts, other.actor)).challenge,
    (await beginPasskeySignIn(parts)).challenge,
    (login as { challengeToken: string }).challengeToken,
    used,
  ]
  await expectChanges(parts, false, async () => {
    for (const challenge of challenges) {
      const factor = { passkey: authenticator.get({ challenge }) }
      await expect(stepUp(parts, actor, { factor, address })).rejects.toMatchObject(refused)
    }
  })
})

test("another user's factors do not step up a session", async () => {
  const { actor } = await stale()
  const other = await stale()
  await expectChanges(parts, false, async () => {
    const { challenge } = await beginStepUp(parts, actor)
    for (const factor of [
      { passkey: other.authenticator.get({ challenge }) },
      { totp: other.totp.code() },
      { recoveryCode: other.totp.recoveryCodes[0]! },
    ])
      await expect(stepUp(parts, actor, { factor, address })).rejects.toMatchObject(refused)
  })
})

test('a user without a factor, or without a passkey, has nothing to verify', async () => {
  const { owner } = await organization(parts)
  await expect(stepUp(parts, owner, { factor: { totp: '000000' }, address })).rejects.toMatchObject({
    code: 'CONFLICT',
  })
  await expect(beginStepUp(parts, owner)).rejects.toMatchObject({ code: 'CONFLICT' })
})
