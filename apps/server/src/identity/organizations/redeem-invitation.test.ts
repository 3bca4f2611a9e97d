// Also tested in: surfaces/core/identity/accounts/registration.test.ts (a service that requires invitations).
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type IdentityFixture, identityFixture, PASSWORD } from '../../../testing/identity/identity-fixture.ts'
import { INVITATION_LIFETIME_MS } from '../../kernel/index.ts'
import { createInvitation } from './create-invitation.ts'
import { register } from './register.ts'

let parts: IdentityFixture
let count = 0
beforeAll(async () => {
  parts = await identityFixture()
})
afterAll(() => parts?.close())

const registerWith = (invitation: string, email = `founder${++count}@acme.example`) =>
  register(parts, { email, password: PASSWORD, organizationName: 'Acme', invitation })
const refused = { code: 'FORBIDDEN', message: 'This invitation is not valid.' }
const organizations = async () => (await parts.db.selectFrom('organizations').select('id').execute()).length

test('an invitation registers one organization, even if two people use it at once', async () => {
  const { token } = await createInvitation(parts)
  const before = await organizations()
  const results = await Promise.allSettled([registerWith(token), registerWith(token)])
  expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  await expect(registerWith(token)).rejects.toMatchObject(refused)
  expect(await organizations()).toBe(before + 1)
})

test('an invitation for an address registers only that address, in any case', async () => {
  const { token } = await createInvitation(parts, { email: 'Ada@Acme.example' })
  await expect(registerWith(token, 'eve@acme.example')).rejects.toMatchObject(refused)
  expect((await registerWith(token, 'ada@ACME.example')).user.email).toBe('ada@acme.example')
})

test('an unknown invitation, and one that is a week old, are refused', async () => {
  await expect(registerWith('inv_unknown')).rejects.toMatchObject(refused)
  const { token } = await createInvitation(parts)
  parts.clock.advance(INVITATION_LIFETIME_MS)
  await expect(registerWith(token)).rejects.toMatchObject(refused)
})

test('without a valid invitation the response does not reveal whether an address is in use', async () => {
  const { token } = await createInvitation(parts)
  await registerWith(token, 'known@acme.example')
  await expect(registerWith(token, 'known@acme.example')).rejects.toMatchObject(refused)
})

test('a registration that fails leaves the invitation valid', async () => {
  const first = await createInvitation(parts)
  await registerWith(first.token, 'taken@acme.example')
  const { token } = await createInvitation(parts)
  await expect(registerWith(token, 'taken@acme.example')).rejects.toMatchObject({ code: 'CONFLICT' })
  expect((await registerWith(token)).organization.name).toBe('Acme')
})
