// Also tested in: identity/organizations/confirm-registration.test.ts (what the link does, and that the request sends the
// same statements for every address), identity/addresses/address-request.test.ts (the request is sealed).
import { expect, test } from 'vitest'
import { PASSWORD } from '../../../testing/identity/identity-fixture.ts'
import { mailFixture } from '../../../testing/identity/mail-fixture.ts'
import { failingTransact } from '../../../testing/index.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { requestRegistration } from './request-registration.ts'

const parts = useFixture(() => mailFixture('required'))

const FIELDS = { email: 'ada@new.example', password: PASSWORD, organizationName: 'Acme' }
const organizations = () => parts.db.selectFrom('organizations').select('id').execute()

test('a request sends a link and creates nothing', async () => {
  const before = await organizations()
  await requestRegistration(parts, { ...FIELDS, email: ' Ada@New.example' })
  expect(await parts.mails()).toMatchObject([{ to: 'ada@new.example', content: { kind: 'registration' } }])
  expect(await organizations()).toEqual(before)
})

test.each([
  ['email', { email: 'not an address' }],
  ['password', { password: 'short' }],
  ['organizationName', { organizationName: '' }],
  ['name', { name: 'x'.repeat(10_000) }],
])('a malformed %s is VALIDATION_ERROR, and sends nothing', async (path, fields) => {
  const refused = requestRegistration(parts, { ...FIELDS, ...fields })
  await expect(refused).rejects.toMatchObject({ code: 'VALIDATION_ERROR', details: { issues: [{ path }] } })
  expect(await parts.mails()).toEqual([])
})

test('a request whose transaction fails at its end sends nothing', async () => {
  const transact = failingTransact<void>(parts.db, 'the response could not be stored')
  await expect(requestRegistration(parts, FIELDS, transact)).rejects.toThrow('could not be stored')
  expect(await parts.mails()).toEqual([])
})
