// Also tested in: identity/addresses/answer-address-requests.test.ts (what a request leads to).
import { expect, test } from 'vitest'
import { organization } from '../../../testing/identity/identity-fixture.ts'
import { mailFixture } from '../../../testing/identity/mail-fixture.ts'
import { countStatements } from '../../../testing/index.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { transactOn } from '../../database/index.ts'
import { openAddressRequest, storeAddressRequest } from './address-request.ts'
import { requestPasswordReset } from './request-password-reset.ts'

const parts = useFixture(() => mailFixture('off'))

test('a request is stored sealed', async () => {
  const request = { kind: 'password_reset', email: 'ada@acme.example' } as const
  await storeAddressRequest(parts, request, transactOn(parts.db))
  const [row] = await parts.db.selectFrom('address_requests').selectAll().execute()
  expect(row!.content.toString('latin1')).not.toContain('ada@')
  expect(openAddressRequest(parts.mail, row!.content)).toEqual(request)
})

test('a request for an address with an account sends the same statements as one without', async () => {
  const { user } = await organization(parts)
  const known = await countStatements(() => requestPasswordReset(parts, user.email))
  const unknown = await countStatements(() => requestPasswordReset(parts, 'nobody@acme.example'))
  expect(known.roundTrips).toBe(unknown.roundTrips)
  expect(known.roundTrips).toBe(3)
})

test('without a mail server the request is refused', async () => {
  const refused = requestPasswordReset({ ...parts, mail: undefined }, 'ada@acme.example')
  await expect(refused).rejects.toMatchObject({ code: 'FORBIDDEN', details: { reason: 'mail_unavailable' } })
})
