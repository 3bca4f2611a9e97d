// Also tested in: identity/addresses/release-address.test.ts (what happens to an account that loses its address).
import { expect, test } from 'vitest'
import { organization, PASSWORD } from '../../../testing/identity/identity-fixture.ts'
import { logIn } from '../../../testing/identity/log-in.ts'
import { mailFixture } from '../../../testing/identity/mail-fixture.ts'
import { providerInput, withSso } from '../../../testing/identity/sso-fixture.ts'
import { freshNetwork } from '../../../testing/surfaces/fresh-network.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { listMembers } from '../members/list-members.ts'
import { approveDomain } from '../sso/domains/approve-domain.ts'
import { createProvider } from '../sso/providers/create-provider.ts'
import { changeEmail } from './change-email.ts'
import { confirmVerification } from './confirm-verification.ts'

const parts = useFixture(mailFixture)

const confirm = (token: string, password = PASSWORD, takeAddress = false) =>
  confirmVerification(parts, { token, password, takeAddress, address: freshNetwork() })
const isVerified = async (organizationId: number) =>
  (await listMembers(parts, organizationId)).items.map(({ emailVerified }) => emailVerified)
const move = (party: Awaited<ReturnType<typeof organization>>, email: string) =>
  changeEmail(parts, party.owner, { email, currentPassword: PASSWORD, address: '192.0.2.1' })

test('the token of the registration’s mail and the password prove the address, once', async () => {
  const { user, owner } = await organization(parts)
  const token = await parts.tokenFor(user.email)
  expect(await isVerified(owner.organizationId)).toEqual([false])
  expect(await confirm(token)).toMatchObject({ user: { email: user.email } })
  expect(await isVerified(owner.organizationId)).toEqual([true])
  await expect(confirm(token)).rejects.toMatchObject({ code: 'FORBIDDEN' })
})

test('without the account’s password a token proves nothing, and stays valid', async () => {
  const { user, owner } = await organization(parts)
  const token = await parts.tokenFor(user.email)
  await expect(confirm(token, 'not the password')).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
  expect(await isVerified(owner.organizationId)).toEqual([false])
  await confirm(token)
})

test('wrong passwords count like failed logins', async () => {
  const { user } = await organization(parts)
  const token = await parts.tokenFor(user.email)
  const guess = (password: string) =>
    confirmVerification(parts, { token, password, takeAddress: false, address: '203.0.113.1' })
  for (let i = 0; i < 10; i += 1) await expect(guess('wrong')).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
  await expect(guess(PASSWORD)).rejects.toMatchObject({ code: 'RATE_LIMIT_EXCEEDED' })
  const login = logIn(parts, { email: user.email, password: PASSWORD, address: '203.0.113.1' })
  await expect(login).rejects.toMatchObject({ code: 'RATE_LIMIT_EXCEEDED' })
})

test('a new address counts once it is confirmed, ends earlier links, and the old one is notified', async () => {
  const party = await organization(parts)
  const first = await parts.tokenFor(party.user.email)
  const email = `moved.${party.user.email}`
  await move(party, email)
  const token = await parts.tokenFor(email)
  const login = () => logIn(parts, { email, password: PASSWORD, address: '192.0.2.1' })
  await expect(login()).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
  expect(await confirm(token)).toMatchObject({ user: { email } })
  expect((await login()).user.email).toBe(email)
  expect(await parts.mails()).toMatchObject([
    { to: party.user.email, content: { change: { what: 'address', to: email } } },
  ])
  await expect(confirm(first)).rejects.toMatchObject({ code: 'FORBIDDEN' })
})

test('an address that another member proved cannot be taken, one that nobody proved can', async () => {
  const [holder, mover] = [await organization(parts), await organization(parts)]
  await parts.mails()
  await move(mover, holder.user.email)
  const token = await parts.tokenFor(holder.user.email)
  await expect(confirm(token)).rejects.toMatchObject({ code: 'CONFLICT', details: { reason: 'address_unproved' } })
  await parts.db
    .updateTable('users')
    .set({ email_verified_at: parts.clock.now() })
    .where('id', '=', holder.user.id)
    .execute()
  await expect(confirm(token, PASSWORD, true)).rejects.toMatchObject({ details: { reason: 'address_in_use' } })
  await parts.db.updateTable('users').set({ email_verified_at: null }).where('id', '=', holder.user.id).execute()
  expect(await confirm(token, PASSWORD, true)).toMatchObject({ user: { id: mover.user.id, email: holder.user.email } })
})

test('a link requested before single sign-on was required neither leaves nor enters the domain', async () => {
  const leaver = await organization(parts)
  const domain = leaver.user.email.split('@')[1]!
  const own = `left.${leaver.owner.organizationId}@elsewhere.example`
  await move(leaver, own)
  const leaving = await parts.tokenFor(own)
  const stranger = await organization(parts)
  const theirs = `stranger.${stranger.owner.organizationId}@required.example`
  await move(stranger, theirs)
  const entering = await parts.tokenFor(theirs)
  for (const name of [domain, 'required.example'])
    await approveDomain(parts, { organizationId: leaver.owner.organizationId, name })
  const input = { ...providerInput(), domains: [domain, 'required.example'], enforced: true, allowOwner: true }
  await createProvider(withSso(parts), leaver.owner, input)
  for (const token of [leaving, entering])
    await expect(confirm(token)).rejects.toMatchObject({ code: 'FORBIDDEN', details: { reason: 'sso_required' } })
  const addresses = async (organizationId: number) =>
    (await listMembers(parts, organizationId)).items.map(({ email }) => email)
  expect(await addresses(leaver.owner.organizationId)).toEqual([leaver.user.email])
  expect(await addresses(stranger.owner.organizationId)).toEqual([stranger.user.email])
})
