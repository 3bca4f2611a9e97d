// Also tested in: identity/addresses/confirm-verification.test.ts (what the link does).
import { expect, test } from 'vitest'
import { organization, PASSWORD } from '../../../testing/identity/identity-fixture.ts'
import { mailFixture } from '../../../testing/identity/mail-fixture.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { confirmVerification } from './confirm-verification.ts'
import { requestVerification } from './request-verification.ts'

const parts = useFixture(() => mailFixture('off'))

test('an address gets a link until it is proved', async () => {
  const { owner, user } = await organization(parts)
  expect(await requestVerification(parts, owner)).toBe(true)
  const token = await parts.tokenFor(user.email)
  await confirmVerification(parts, { token, password: PASSWORD, takeAddress: false, address: '192.0.2.1' })
  expect(await requestVerification(parts, owner)).toBe(false)
  expect(await parts.mails()).toEqual([])
})

test('the sixth link in an hour is refused, and without a mail server the first', async () => {
  const { owner } = await organization(parts)
  for (let i = 0; i < 5; i += 1) await requestVerification(parts, owner)
  await expect(requestVerification(parts, owner)).rejects.toMatchObject({ code: 'RATE_LIMIT_EXCEEDED' })
  const without = requestVerification({ ...parts, mail: undefined }, owner)
  await expect(without).rejects.toMatchObject({ code: 'FORBIDDEN', details: { reason: 'mail_unavailable' } })
})
