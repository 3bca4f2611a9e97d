import { expect, test } from 'vitest'
import { enrollPasskey } from '../../../testing/identity/enroll-factors.ts'
import { expectChanges } from '../../../testing/identity/expect-factors.ts'
import { credentialOf, organization } from '../../../testing/identity/identity-fixture.ts'
import { newMember } from '../../../testing/identity/new-member.ts'
import { softwareAuthenticator } from '../../../testing/identity/software-authenticator.ts'
import { organizationWithSso, ssoFixture } from '../../../testing/identity/sso-fixture.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { removeMember } from '../members/remove-member.ts'
import { updateProvider } from '../sso/providers/update-provider.ts'
import { beginPasskeySignIn, signInWithPasskey } from './passkey-sign-in.ts'
import { beginStepUp } from './step-up.ts'

const parts = useFixture(ssoFixture)

const client = { address: '192.0.2.1' }
const signIn = (passkey: Parameters<typeof signInWithPasskey>[1]['passkey']) =>
  signInWithPasskey(parts, { passkey, client })
const unauthorized = { code: 'UNAUTHORIZED', message: 'The passkey was not accepted.' }

test('a passkey alone opens a session that counts as stepped up', async () => {
  const { owner, user } = await organization(parts)
  const { authenticator } = await enrollPasskey(parts, owner)
  const { challenge, allowCredentials } = await beginPasskeySignIn(parts)
  expect(allowCredentials).toEqual([])
  const session = await signIn(authenticator.get({ challenge }))
  expect(session.user).toEqual(user)
  expect((await credentialOf(parts, session.accessToken)).secondFactor).toMatchObject({ isStale: false })
})

test('an unknown passkey, a wrong response, a used challenge and one for another purpose open nothing', async () => {
  const { owner, accessToken } = await organization(parts)
  const { authenticator } = await enrollPasskey(parts, owner)
  const { challenge: used } = await beginPasskeySignIn(parts)
  await signIn(authenticator.get({ challenge: used }))
  const stepUp = await beginStepUp(parts, await credentialOf(parts, accessToken))
  await expectChanges(parts, false, async () => {
    const { challenge } = await beginPasskeySignIn(parts)
    await expect(signIn(softwareAuthenticator().get({ challenge }))).rejects.toMatchObject(unauthorized)
    const fresh = (await beginPasskeySignIn(parts)).challenge
    const wrong = [
      authenticator.get({ challenge: used }),
      authenticator.get({ challenge }),
      authenticator.get({ challenge: stepUp.challenge }),
      authenticator.get({ challenge: fresh, origin: 'https://evil.example' }),
    ]
    for (const passkey of wrong) await expect(signIn(passkey)).rejects.toMatchObject(unauthorized)
  })
})

test('the passkey of a removed member opens nothing', async () => {
  const { owner } = await organization(parts)
  const member = await newMember(parts, owner, 'approver')
  const { authenticator } = await enrollPasskey(parts, member.credential)
  await removeMember(parts, owner, member.id)
  const { challenge } = await beginPasskeySignIn(parts)
  await expectChanges(parts, false, () =>
    expect(signIn(authenticator.get({ challenge }))).rejects.toMatchObject(unauthorized),
  )
})

test('a passkey does not replace single sign-on where it is required, except for the break-glass owner', async () => {
  const { owner, provider, domain } = await organizationWithSso(parts)
  const member = await newMember(parts, owner, 'admin')
  const { authenticator } = await enrollPasskey(parts, member.credential)
  const { authenticator: ofOwner } = await enrollPasskey(parts, owner)
  for (const [id, email] of [
    [member.id, `ada@${domain}`],
    [owner.userId, `grace@${domain}`],
  ] as const)
    await parts.db.updateTable('users').set({ email }).where('id', '=', id).execute()
  const changes = { enforced: true, breakGlassMemberId: owner.userId }
  await updateProvider(parts, { actor: owner, providerId: provider.id, changes })
  const { challenge } = await beginPasskeySignIn(parts)
  await expectChanges(parts, false, () =>
    expect(signIn(authenticator.get({ challenge }))).rejects.toMatchObject({
      code: 'FORBIDDEN',
      details: { reason: 'sso_required' },
    }),
  )
  const { challenge: another } = await beginPasskeySignIn(parts)
  expect((await signIn(ofOwner.get({ challenge: another }))).user.id).toBe(owner.userId)
})
