import { expect, test } from 'vitest'
import { organization } from '../../../testing/identity/identity-fixture.ts'
import { mailFixture } from '../../../testing/identity/mail-fixture.ts'
import { newMember } from '../../../testing/identity/new-member.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { ADDRESS_REQUEST_KEPT_MS, createSealer, keyRing, systemRandomSource } from '../../kernel/index.ts'
import { removeMember } from '../members/remove-member.ts'
import { deleteOrganization } from '../organizations/delete-organization.ts'
import { answerAddressRequests } from './answer-address-requests.ts'
import { requestPasswordReset } from './request-password-reset.ts'

const parts = useFixture(() => mailFixture('off'))

const waiting = () => parts.db.selectFrom('address_requests').selectAll().execute()

test('an account gets an email with a token, whatever the case of the address', async () => {
  const { user, organization: home } = await organization(parts)
  await requestPasswordReset(parts, ` ${user.email.toUpperCase()} `)
  expect(await parts.mails()).toEqual([
    {
      to: user.email,
      content: { kind: 'password_reset', organizationName: home.name, token: expect.stringMatching(/^reset_/) },
    },
  ])
  expect(await waiting()).toEqual([])
})

test('an unknown address, a removed member and a deleted organization get no email and no token', async () => {
  const { owner, organization: home, user } = await organization(parts)
  const { id, email } = await newMember(parts, owner, 'viewer')
  await removeMember(parts, owner, id)
  const gone = { actor: owner, name: home.name, assertDeletable: async () => {} }
  await deleteOrganization(parts, gone)
  const tokens = () => parts.db.selectFrom('account_tokens').select('token_hash').execute()
  const before = await tokens()
  for (const address of [email, user.email, 'nobody@acme.example', 'no address', '\0']) {
    await requestPasswordReset(parts, address)
  }
  expect(await parts.mails()).toEqual([])
  expect(await tokens()).toEqual(before)
  expect(await waiting()).toEqual([])
})

test('a flooded address gets five emails in an hour, and every token of them works until one was used', async () => {
  const { user } = await organization(parts)
  for (let i = 0; i < 30; i += 1) await requestPasswordReset(parts, user.email)
  expect(await parts.mails()).toHaveLength(5)
})

test('a request that cannot be read is dropped, and the next one is answered', async () => {
  const { user } = await organization(parts)
  await parts.db
    .insertInto('address_requests')
    .values({ content: Buffer.from('of another key'), created_at: parts.clock.now() })
    .execute()
  await requestPasswordReset(parts, user.email)
  expect(await answerAddressRequests(parts)).toBe(2)
  expect(await parts.mails()).toMatchObject([{ to: user.email }])
})

test('a request whose key this process lacks waits for one that has it, for an hour, and delays no other', async () => {
  const { user } = await organization(parts)
  const ring = keyRing([
    ['2026b', 'ab'.repeat(32)],
    ['0', '0a'.repeat(32)],
  ])
  const renewed = { ...parts, mail: { ...parts.mail, sealer: createSealer(ring, 'mail', systemRandomSource) } }
  await requestPasswordReset(renewed, user.email)
  const { user: other } = await organization(parts)
  await requestPasswordReset(parts, other.email)
  expect(await answerAddressRequests(parts)).toBe(1)
  expect(await parts.mails()).toMatchObject([{ to: other.email }])
  expect(await waiting()).toHaveLength(1)
  parts.clock.advance(ADDRESS_REQUEST_KEPT_MS - 1)
  expect(await answerAddressRequests(parts)).toBe(0)
  expect(await answerAddressRequests(renewed)).toBe(1)
  expect(await waiting()).toEqual([])

  await requestPasswordReset(renewed, user.email)
  parts.clock.advance(ADDRESS_REQUEST_KEPT_MS)
  expect(await answerAddressRequests(parts)).toBe(1)
  expect(await waiting()).toEqual([])
})

test('an aborted round answers nothing, and loses nothing', async () => {
  await requestPasswordReset(parts, 'nobody@acme.example')
  expect(await answerAddressRequests(parts, AbortSignal.abort())).toBe(0)
  expect(await waiting()).toHaveLength(1)
})
