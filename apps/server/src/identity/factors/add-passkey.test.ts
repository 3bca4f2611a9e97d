import { expect, test } from 'vitest'
import { enrollPasskey, enrollTotp } from '../../../testing/identity/enroll-factors.ts'
import { expectChanges } from '../../../testing/identity/expect-factors.ts'
import { credentialOf, identityFixture, organization, PASSWORD } from '../../../testing/identity/identity-fixture.ts'
import { logIn } from '../../../testing/identity/log-in.ts'
import { newMember } from '../../../testing/identity/new-member.ts'
import { softwareAuthenticator } from '../../../testing/identity/software-authenticator.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { addPasskey } from './add-passkey.ts'
import { beginPasskey } from './begin-passkey.ts'
import { listFactors } from './list-factors.ts'

const parts = useFixture(identityFixture)

const address = '192.0.2.1'
const begin = (actor: Awaited<ReturnType<typeof organization>>['owner']) =>
  beginPasskey(parts, actor, { currentPassword: PASSWORD, address })
const refused = { code: 'VALIDATION_ERROR', details: { issues: [{ path: 'passkey' }] } }

test('a user has several named passkeys; the first one brings recovery codes and ends other sessions', async () => {
  const { owner, user, accessToken } = await organization(parts)
  await logIn(parts, { email: user.email, password: PASSWORD, address })
  const { challenge } = await begin(owner)
  const first = softwareAuthenticator()
  const added = await addPasskey(parts, owner, { name: ' Laptop ', passkey: first.create({ challenge }) })
  expect(added).toMatchObject({ ended: 1, recoveryCodes: { length: 10 } })
  const second = await enrollPasskey(parts, await credentialOf(parts, accessToken))
  expect(second.recoveryCodes).toEqual([])
  const { passkeys, recoveryCodesLeft } = await listFactors(parts, owner)
  expect(passkeys.map(({ name, credentialId }) => [name, credentialId])).toEqual([
    ['Laptop', first.credentialId],
    ['Laptop', second.authenticator.credentialId],
  ])
  expect(recoveryCodesLeft).toBe(10)
  expect((await credentialOf(parts, accessToken)).secondFactor).toEqual({ kinds: ['passkey'], isStale: false })
})

test.each([
  ['made on another origin', { origin: 'https://localhost.evil.example' }],
  ['made on another port', { origin: 'http://localhost:3001' }],
  ['made for another relying party', { rpId: 'evil.example' }],
  ['that did not verify its user', { isVerified: false }],
  ['made without a person', { isPresent: false }],
  ['made in a foreign frame', { crossOrigin: true }],
  ['that signed a login instead', { type: 'webauthn.get' }],
])('a passkey %s is refused', async (_, wrong) => {
  const { owner } = await organization(parts)
  const { challenge } = await begin(owner)
  const passkey = softwareAuthenticator().create({ challenge, ...wrong })
  await expectChanges(parts, false, () =>
    expect(addPasskey(parts, owner, { name: 'x', passkey })).rejects.toMatchObject(refused),
  )
})

test('the challenge of another user, of another session, a used one and an invented one are refused', async () => {
  const { owner, user } = await organization(parts)
  const { owner: other } = await organization(parts)
  const mine = await logIn(parts, { email: user.email, password: PASSWORD, address })
  const elsewhere = await credentialOf(parts, mine.accessToken)
  const used = await begin(owner)
  await addPasskey(parts, owner, { name: 'x', passkey: softwareAuthenticator().create(used) })
  const challenges = [
    (await begin(other)).challenge,
    (await begin({ ...elsewhere, sessionId: elsewhere.sessionId }).catch(() => ({ challenge: 'x' }))).challenge,
    used.challenge,
    'aaaa',
  ]
  for (const challenge of challenges) {
    const passkey = softwareAuthenticator().create({ challenge })
    await expectChanges(parts, false, () =>
      expect(addPasskey(parts, owner, { name: 'x', passkey })).rejects.toMatchObject(refused),
    )
  }
})

test('a failed creation consumes its challenge', async () => {
  const { owner } = await organization(parts)
  const { challenge } = await begin(owner)
  const authenticator = softwareAuthenticator()
  const wrong = authenticator.create({ challenge, origin: 'https://evil.example' })
  await expect(addPasskey(parts, owner, { name: 'x', passkey: wrong })).rejects.toMatchObject(refused)
  const right = authenticator.create({ challenge })
  await expect(addPasskey(parts, owner, { name: 'x', passkey: right })).rejects.toMatchObject(refused)
})

test('a passkey that is registered already belongs to its first user', async () => {
  const { owner } = await organization(parts)
  const { owner: other } = await organization(parts)
  const { authenticator } = await enrollPasskey(parts, owner)
  const passkey = authenticator.create(await begin(other))
  await expectChanges(parts, false, () =>
    expect(addPasskey(parts, other, { name: 'x', passkey })).rejects.toMatchObject({ code: 'CONFLICT' }),
  )
})

test('a user has ten passkeys at most', async () => {
  const { owner } = await organization(parts)
  const member = await newMember(parts, owner, 'admin')
  for (let i = 0; i < 9; i += 1) await enrollPasskey(parts, member.credential)
  const [tenth, eleventh] = [await begin(member.credential), await begin(member.credential)]
  await addPasskey(parts, member.credential, { name: 'x', passkey: softwareAuthenticator().create(tenth) })
  const passkey = softwareAuthenticator().create(eleventh)
  await expect(addPasskey(parts, member.credential, { name: 'x', passkey })).rejects.toMatchObject({ code: 'CONFLICT' })
  await expect(begin(member.credential)).rejects.toMatchObject({ code: 'CONFLICT' })
})

test('after an authenticator app, a passkey adds no recovery codes', async () => {
  const { owner } = await organization(parts)
  await enrollTotp(parts, owner)
  expect((await enrollPasskey(parts, owner)).recoveryCodes).toEqual([])
})
