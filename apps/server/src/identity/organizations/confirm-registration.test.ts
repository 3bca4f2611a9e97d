import { expect, test } from 'vitest'
import { organization, PASSWORD } from '../../../testing/identity/identity-fixture.ts'
import { mailFixture } from '../../../testing/identity/mail-fixture.ts'
import { countStatements } from '../../../testing/index.ts'
import { freshNetwork } from '../../../testing/surfaces/fresh-network.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { listMembers } from '../members/list-members.ts'
import { authenticateBearer } from '../sessions/authenticate-bearer.ts'
import { confirmRegistration } from './confirm-registration.ts'
import { createInvitation } from './create-invitation.ts'
import type { RegistrationMode } from './register.ts'
import { requestRegistration } from './request-registration.ts'

const parts = useFixture(() => mailFixture('required'))

const request = (email: string, more: { password?: string; invitation?: string } = {}) =>
  requestRegistration(parts, { email, password: PASSWORD, organizationName: 'Acme', ...more })
interface Confirmation {
  password?: string
  takeAddress?: boolean
  mode?: RegistrationMode
}
const confirm = (token: string, { password = PASSWORD, takeAddress = false, mode = 'open' }: Confirmation = {}) => {
  const address = freshNetwork()
  return confirmRegistration(parts, mode, { token, password, takeAddress, address })
}
const organizations = async () => (await parts.db.selectFrom('organizations').select('id').execute()).length
const prove = (id: number) =>
  parts.db.updateTable('users').set({ email_verified_at: parts.clock.now() }).where('id', '=', id).execute()

test('an organization exists once its registration is confirmed, with a proved owner who is signed in', async () => {
  const before = await organizations()
  await request('Ada@new.example')
  const token = await parts.tokenFor('ada@new.example')
  expect(await organizations()).toBe(before)
  const { user, organization: home, accessToken } = await confirm(token)
  expect(user).toMatchObject({ email: 'ada@new.example', role: 'owner' })
  expect(await authenticateBearer(parts, accessToken)).toMatchObject({ organizationId: home.id })
  expect((await listMembers(parts, home.id)).items).toMatchObject([{ emailVerified: true }])
  await expect(confirm(token)).rejects.toMatchObject({ code: 'FORBIDDEN' })
})

test('somebody whose address a stranger registered cannot confirm it without the stranger’s password', async () => {
  await request('victim@new.example', { password: 'known to the stranger' })
  const token = await parts.tokenFor('victim@new.example')
  const before = await organizations()
  await expect(confirm(token, { password: 'chosen by the victim' })).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
  expect(await organizations()).toBe(before)
})

test('a registration of an address with a proved account sends an email without a token', async () => {
  const { user } = await organization(parts)
  await prove(user.id)
  await request(user.email)
  expect(await parts.mails()).toMatchObject([{ to: user.email, content: { kind: 'registration_of_member' } }])
})

test('the request sends the same statements whether or not the address has an account', async () => {
  const { user } = await organization(parts)
  const known = await countStatements(() => request(user.email))
  const unknown = await countStatements(() => request('unknown@new.example'))
  expect(known.roundTrips).toBe(unknown.roundTrips)
  await parts.mails()
})

test('an unproved account keeps nobody out: the owner of the address takes it over, in a new organization', async () => {
  const { user, organization: squatted, accessToken } = await organization(parts)
  await request(user.email)
  const [mail] = await parts.mails()
  expect(mail).toMatchObject({ content: { kind: 'registration', heldIn: squatted.name } })
  const { token } = mail!.content as { token: string }
  await expect(confirm(token)).rejects.toMatchObject({ code: 'CONFLICT', details: { reason: 'address_unproved' } })
  const fresh = await confirm(token, { takeAddress: true })
  expect(fresh.organization.id).not.toBe(squatted.id)
  expect(fresh.user.email).toBe(user.email)
  expect(await authenticateBearer(parts, accessToken)).toMatchObject({ organizationId: squatted.id, role: 'owner' })
})

test('an account that proved the address meanwhile keeps it', async () => {
  const { user } = await organization(parts)
  await request(user.email)
  const token = await parts.tokenFor(user.email)
  await prove(user.id)
  await expect(confirm(token, { takeAddress: true })).rejects.toMatchObject({ details: { reason: 'address_in_use' } })
})

test('the first of two registrations of one address to be confirmed counts', async () => {
  await request('twice@new.example')
  const first = await parts.tokenFor('twice@new.example')
  await request('twice@new.example')
  const second = await parts.tokenFor('twice@new.example')
  const outcomes = await Promise.allSettled([confirm(first), confirm(second)])
  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  const [lost] = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
  expect(lost).toMatchObject({ code: 'CONFLICT' })
})

test('a registration invitation is redeemed with the confirmation, and required where registration needs one', async () => {
  await request('late@new.example')
  const without = await parts.tokenFor('late@new.example')
  await expect(confirm(without, { mode: 'invite' })).rejects.toMatchObject({ code: 'FORBIDDEN' })
  const { token: invitation } = await createInvitation(parts)
  await request('invited@new.example', { invitation })
  await confirm(await parts.tokenFor('invited@new.example'), { mode: 'invite' })
  await request('other@new.example', { invitation })
  const reused = await parts.tokenFor('other@new.example')
  await expect(confirm(reused, { mode: 'invite' })).rejects.toMatchObject({ code: 'FORBIDDEN' })
})
