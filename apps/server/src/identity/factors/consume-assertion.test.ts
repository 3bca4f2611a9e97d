import { expect, test } from 'vitest'
import { overlap } from '../../../testing/database/overlap.ts'
import { enrollPasskey } from '../../../testing/identity/enroll-factors.ts'
import { expectChanges } from '../../../testing/identity/expect-factors.ts'
import { identityFixture, organization } from '../../../testing/identity/identity-fixture.ts'
import { newMember } from '../../../testing/identity/new-member.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { inTransaction } from '../../database/index.ts'
import type { UserKey } from './challenges.ts'
import { consumeAssertion, type SignedChallenge } from './consume-assertion.ts'

const parts = useFixture(identityFixture)

const challenge = Buffer.alloc(32, 7).toString('base64url')
const consume = (user: UserKey, signed: SignedChallenge) =>
  inTransaction(parts.db, (tx) => consumeAssertion(tx, parts, user, signed))

async function enrolled() {
  const { owner } = await organization(parts)
  return { owner, ...(await enrollPasskey(parts, owner)) }
}

test('an assertion of the own passkey counts, and its counter is stored', async () => {
  const { owner, authenticator } = await enrolled()
  const assertion = authenticator.get({ challenge, counter: 41 })
  expect(await consume(owner, { assertion, challenge })).toMatchObject({
    credentialId: Buffer.from(authenticator.credentialId, 'base64url'),
    signature: Buffer.from(assertion.response.signature, 'base64url'),
  })
  const row = await parts.db
    .selectFrom('user_passkeys')
    .select(['counter', 'last_used_at'])
    .where('user_id', '=', owner.userId)
    .executeTakeFirst()
  expect(row).toEqual({ counter: 41, last_used_at: parts.clock.now() })
})

test.each([
  ['of another origin', { origin: 'https://evil.example' }],
  ['of another relying party', { rpId: 'evil.example' }],
  ['of an unverified user', { isVerified: false }],
  ['without a person', { isPresent: false }],
  ['from a foreign frame', { crossOrigin: true }],
  ['of another ceremony', { type: 'webauthn.create' }],
  ['over another challenge', { challenge: Buffer.alloc(32, 8).toString('base64url') }],
  ['with a counter that was seen', { counter: 1 }],
  ['with a counter that went back', { counter: 0 }],
])('an assertion %s does not count', async (_, wrong) => {
  const { owner, authenticator } = await enrolled()
  const assertion = authenticator.get({ challenge, ...wrong })
  await expectChanges(parts, false, async () => expect(await consume(owner, { assertion, challenge })).toBeUndefined())
})

test('a copy of the passkey is detected when its counter repeats', async () => {
  const { owner, authenticator } = await enrolled()
  const copy = authenticator.clone()
  expect(await consume(owner, { assertion: authenticator.get({ challenge }), challenge })).toBeDefined()
  expect(await consume(owner, { assertion: copy.get({ challenge }), challenge })).toBeUndefined()
})

test('a passkey of another user, and a signature of another key under its id, do not count', async () => {
  const { owner } = await enrolled()
  const { authenticator } = await enrolled()
  const assertion = authenticator.get({ challenge })
  expect(await consume(owner, { assertion, challenge })).toBeUndefined()
  const mine = await enrolled()
  const { credentialId: id } = mine.authenticator
  expect(await consume(mine.owner, { assertion: { ...assertion, id, rawId: id }, challenge })).toBeUndefined()
})

test('a passkey of another member of the same organization does not count', async () => {
  const { owner, authenticator } = await enrolled()
  const { credential } = await newMember(parts, owner, 'admin')
  expect(await consume(credential, { assertion: authenticator.get({ challenge }), challenge })).toBeUndefined()
})

test('one of several concurrent uses of an assertion counts', async () => {
  const { owner, authenticator } = await enrolled()
  const assertion = authenticator.get({ challenge })
  const uses = await Promise.all(Array.from({ length: 4 }, () => consume(owner, { assertion, challenge })))
  expect(uses.filter(Boolean)).toHaveLength(1)
})

test('a use of an assertion that overlaps another one waits for it, and does not count', async () => {
  const { owner, authenticator } = await enrolled()
  const signed = { assertion: authenticator.get({ challenge }), challenge }
  const second = overlap(parts.db, () => consume(owner, signed))
  expect(await second.transact((tx) => consumeAssertion(tx, parts, owner, signed))).toBeDefined()
  expect(await second.outcome()).toBeUndefined()
})

test('nonsense does not count and causes no error', async () => {
  const { owner, authenticator } = await enrolled()
  const { response, ...assertion } = authenticator.get({ challenge })
  for (const [field, text] of [
    ['clientDataJSON', 'AAAA'],
    ['clientDataJSON', 'bnVsbA'],
    ['authenticatorData', 'AAAA'],
    ['signature', 'AAAA'],
  ] as const) {
    const changed = { ...assertion, response: { ...response, [field]: text } }
    expect(await consume(owner, { assertion: changed, challenge }), `${field} ${text}`).toBeUndefined()
  }
})
