import { expect, test } from 'vitest'
import { enrollPasskey, enrollTotp } from '../../../testing/identity/enroll-factors.ts'
import { expectChanges } from '../../../testing/identity/expect-factors.ts'
import { credentialOf, organization, PASSWORD } from '../../../testing/identity/identity-fixture.ts'
import { softwareAuthenticator } from '../../../testing/identity/software-authenticator.ts'
import { organizationWithSso, ssoFixture } from '../../../testing/identity/sso-fixture.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { secretHashes } from '../keys/key-material.ts'
import { deleteProvider } from '../sso/providers/delete-provider.ts'
import { updateProvider } from '../sso/providers/update-provider.ts'
import { changePassword } from './change-password.ts'
import { completeLogIn } from './complete-log-in.ts'
import { logIn } from './log-in.ts'

const parts = useFixture(ssoFixture)

const address = '192.0.2.1'
const client = { address, userAgent: 'a test' }

async function waiting() {
  const { owner, user } = await organization(parts)
  const totp = await enrollTotp(parts, owner)
  const { authenticator } = await enrollPasskey(parts, owner)
  parts.clock.advance(60_000)
  const begin = async () => {
    const result = await logIn(parts, { email: user.email, password: PASSWORD, address })
    if (!('secondFactorRequired' in result)) throw new Error('a password alone opened a session')
    return result
  }
  return { owner, user, totp, authenticator, begin, ...(await begin()) }
}
const complete = (challengeToken: string, factor: Parameters<typeof completeLogIn>[1]['factor']) =>
  completeLogIn(parts, { challengeToken, factor, address, client })
const refused = (reason: string) => ({ code: 'UNAUTHORIZED', details: { reason } })

test('a password alone opens no session, and names the factors', async () => {
  const { owner, user } = await organization(parts)
  const { authenticator } = await enrollPasskey(parts, owner)
  await expectChanges(parts, false, async () => {
    expect(await logIn(parts, { email: user.email, password: PASSWORD, address })).toMatchObject({
      secondFactorRequired: true,
      expiresIn: 300,
      factors: ['passkey'],
      passkey: {
        rpId: 'localhost',
        userVerification: 'required',
        allowCredentials: [{ id: authenticator.credentialId }],
      },
    })
  })
})

test('a code, a recovery code and a passkey each open a session that counts as stepped up', async () => {
  const { totp, authenticator, begin, challengeToken } = await waiting()
  const sessions = [
    await complete(challengeToken, { totp: totp.code() }),
    await complete((await begin()).challengeToken, { recoveryCode: totp.recoveryCodes[0]! }),
  ]
  const { challengeToken: challenge } = await begin()
  sessions.push(await complete(challenge, { passkey: authenticator.get({ challenge }) }))
  for (const { accessToken } of sessions)
    expect((await credentialOf(parts, accessToken)).secondFactor).toMatchObject({ isStale: false })
})

test('a challenge completes one login, also when two try at once', async () => {
  const { totp, challengeToken } = await waiting()
  const results = await Promise.allSettled([
    complete(challengeToken, { totp: totp.code() }),
    complete(challengeToken, { recoveryCode: totp.recoveryCodes[0]! }),
  ])
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  await expect(complete(challengeToken, { recoveryCode: totp.recoveryCodes[1]! })).rejects.toMatchObject(
    refused('challenge_expired'),
  )
})

test('wrong factors open nothing', async () => {
  const { totp, authenticator, challengeToken, begin, owner } = await waiting()
  const stranger = await waiting()
  await expectChanges(parts, false, async () => {
    await expect(complete(challengeToken, { totp: '000000' })).rejects.toMatchObject(refused('factor_invalid'))
    await expect(complete(challengeToken, { totp: stranger.totp.code() })).rejects.toMatchObject(
      refused('factor_invalid'),
    )
    await expect(complete(challengeToken, { recoveryCode: stranger.totp.recoveryCodes[0]! })).rejects.toMatchObject(
      refused('factor_invalid'),
    )
    await expect(complete('invented', { totp: totp.code() })).rejects.toMatchObject(refused('challenge_expired'))
    const challenges = [
      (challenge: string) => softwareAuthenticator().get({ challenge }),
      (challenge: string) => stranger.authenticator.get({ challenge }),
      (challenge: string) => authenticator.get({ challenge, origin: 'https://evil.example', counter: 100 }),
      () => authenticator.get({ challenge: stranger.challengeToken, counter: 101 }),
    ]
    for (const sign of challenges) {
      const { challengeToken: challenge } = await begin()
      await expect(complete(challenge, { passkey: sign(challenge) })).rejects.toMatchObject(refused('factor_invalid'))
      // The assertion consumed the challenge.
      await expect(complete(challenge, { totp: totp.code() })).rejects.toMatchObject(refused('challenge_expired'))
    }
    expect(owner.userId).not.toBe(stranger.owner.userId)
  })
})

test('a login that waits is dead after five minutes, and after a new password', async () => {
  const { totp, challengeToken, begin, owner } = await waiting()
  parts.clock.advance(300_000)
  await expect(complete(challengeToken, { totp: totp.code() })).rejects.toMatchObject(refused('challenge_expired'))
  const later = await begin()
  await changePassword(parts, owner, { currentPassword: PASSWORD, newPassword: 'another horse entirely', address })
  await expect(complete(later.challengeToken, { totp: totp.code() })).rejects.toMatchObject(
    refused('challenge_expired'),
  )
})

test('an enrollment during a login leaves no session that a password alone opened', async () => {
  const { owner, user } = await organization(parts)
  const [login] = await Promise.allSettled([
    logIn(parts, { email: user.email, password: PASSWORD, address }),
    enrollTotp(parts, owner),
  ])
  const open = await parts.db
    .selectFrom('sessions')
    .select('id')
    .where('user_id', '=', user.id)
    .where('revoked_at', 'is', null)
    .execute()
  expect(login.status).toBe('fulfilled')
  expect(open.map(({ id }) => id)).toEqual([owner.sessionId])
})

test('a login that began with a password cannot end once single sign-on is required', async () => {
  const { owner, provider, domain } = await organizationWithSso(parts)
  const email = `ada@${domain}`
  await parts.db.updateTable('users').set({ email }).where('id', '=', owner.userId).execute()
  const { code } = await enrollTotp(parts, owner)
  parts.clock.advance(60_000)
  const { authenticator } = await enrollPasskey(parts, owner)
  const begun = async () => {
    const result = await logIn(parts, { email, password: PASSWORD, address })
    if (!('secondFactorRequired' in result)) throw new Error('a password alone opened a session')
    return result.challengeToken
  }
  const [byCode, byPasskey, bySso] = [await begun(), await begun(), await begun()]
  await parts.db
    .updateTable('factor_challenges')
    .set({ purpose: 'sso_login' })
    .where('challenge_hash', 'in', secretHashes(parts.secrets.pepper, `factor challenge\n${bySso}`))
    .execute()
  const enforced = { enforced: true, allowOwner: true, breakGlassMemberId: null }
  await updateProvider(parts, { actor: owner, providerId: provider.id, changes: enforced })
  const required = { code: 'FORBIDDEN', details: { reason: 'sso_required' } }
  await expectChanges(parts, false, async () => {
    await expect(complete(byCode, { totp: code() })).rejects.toMatchObject(required)
    const passkey = authenticator.get({ challenge: byPasskey })
    await expect(complete(byPasskey, { passkey })).rejects.toMatchObject(required)
  })
  expect(await complete(bySso, { totp: code() })).toMatchObject({ accessToken: expect.any(String) })
  await deleteProvider(parts, owner, provider.id)
  parts.clock.advance(60_000)
  expect(await complete(byCode, { totp: code() })).toMatchObject({ accessToken: expect.any(String) })
})
