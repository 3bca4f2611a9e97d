// Also tested in: identity/addresses/address-request.test.ts (the same statements for every address),
// identity/addresses/answer-address-requests.test.ts (the email), identity/addresses/confirm-password-reset.test.ts
// (the link).
import { expect, test } from 'vitest'
import { organization } from '../../../testing/identity/identity-fixture.ts'
import { mailFixture } from '../../../testing/identity/mail-fixture.ts'
import { failingTransact } from '../../../testing/index.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { requestPasswordReset } from './request-password-reset.ts'

const parts = useFixture(() => mailFixture('off'))

test('an address with an account gets one link, however it is written', async () => {
  const { user } = await organization(parts)
  await requestPasswordReset(parts, ` ${user.email.toUpperCase()} `)
  expect(await parts.mails()).toMatchObject([{ to: user.email, content: { kind: 'password_reset' } }])
})

test('an address without an account, or one that no account can have, is accepted and gets no email', async () => {
  await requestPasswordReset(parts, 'nobody@acme.example')
  await requestPasswordReset(parts, 'no\0body@acme.example')
  await requestPasswordReset(parts, 'not an address')
  expect(await parts.mails()).toEqual([])
})

test('a request whose transaction fails at its end sends nothing', async () => {
  const { user } = await organization(parts)
  const transact = failingTransact<void>(parts.db, 'the response could not be stored')
  await expect(requestPasswordReset(parts, user.email, transact)).rejects.toThrow('could not be stored')
  expect(await parts.mails()).toEqual([])
})
