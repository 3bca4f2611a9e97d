import { expect, test } from 'vitest'
import { addApprover } from '../../../testing/changes/add-approver.ts'
import { organizationWithSso, type SsoFixture, ssoFixture } from '../../../testing/identity/sso-fixture.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { inTransaction } from '../../database/index.ts'
import { createProvider } from '../sso/providers/create-provider.ts'
import { deleteProvider } from '../sso/providers/delete-provider.ts'
import { NO_PASSWORD } from './password.ts'
import { readWaysIn } from './read-ways-in.ts'

const parts = useFixture<SsoFixture>(ssoFixture)

const canSignIn = async (organizationId: number, userId: number) => {
  const roles = ['owner', 'approver'] as const
  const members = await inTransaction(parts.db, (tx) => readWaysIn(tx, organizationId, roles))
  return members.find(({ id }) => id === userId)?.canSignIn
}
const set = (id: number, columns: { email?: string; password_hash?: string }) =>
  parts.db.updateTable('users').set(columns).where('id', '=', id).execute()
const link = (organizationId: number, userId: number, issuer: string) =>
  parts.db
    .insertInto('sso_identities')
    .values({
      organization_id: organizationId,
      user_id: userId,
      issuer,
      subject: `${userId}`,
      created_at: parts.clock.now(),
      last_used_at: parts.clock.now(),
    })
    .execute()

test('an account counts while its provider exists', async () => {
  const { owner, provider } = await organizationWithSso(parts)
  const { organizationId } = owner
  const bob = await addApprover(parts, organizationId, 'approver')
  await set(bob, { password_hash: NO_PASSWORD })
  expect(await canSignIn(organizationId, bob)).toBe(false)
  await link(organizationId, bob, provider.issuer)
  expect(await canSignIn(organizationId, bob)).toBe(true)
  await deleteProvider(parts, owner, provider.id)
  expect(await canSignIn(organizationId, bob)).toBe(false)
  const { name, clientId, issuer } = provider
  await createProvider(parts, owner, { name, clientId, issuer, clientSecret: 'a-secret', domains: [] })
  expect(await canSignIn(organizationId, bob)).toBe(true)
})

test('an account at the provider of another organization does not count', async () => {
  const { provider } = await organizationWithSso(parts, { issuer: 'http://127.0.0.1:10' })
  const { owner } = await organizationWithSso(parts)
  const bob = await addApprover(parts, owner.organizationId, 'approver')
  await set(bob, { password_hash: NO_PASSWORD })
  await link(owner.organizationId, bob, provider.issuer)
  expect(await canSignIn(owner.organizationId, bob)).toBe(false)
})

test('where single sign-on is required, a password counts for the break-glass owner and other domains only', async () => {
  const { owner, domain, provider } = await organizationWithSso(parts)
  const { organizationId } = owner
  const [bob, eve] = [await addApprover(parts, organizationId, 'approver'), owner.userId]
  await set(bob, { email: `bob@${domain}` })
  await set(eve, { email: `eve@${domain}` })
  await parts.db
    .updateTable('sso_providers')
    .set({ enforced: true, break_glass_user_id: eve })
    .where('id', '=', provider.id)
    .execute()
  expect([await canSignIn(organizationId, bob), await canSignIn(organizationId, eve)]).toEqual([false, true])
  await set(bob, { email: `bob@elsewhere.of.${domain}` })
  expect(await canSignIn(organizationId, bob)).toBe(true)
  await set(bob, { email: `bob@${domain}` })
  await link(organizationId, bob, provider.issuer)
  expect(await canSignIn(organizationId, bob)).toBe(true)
})

test('an address with its domain in letters beyond ASCII is of that domain', async () => {
  const { owner, provider } = await organizationWithSso(parts)
  const bob = await addApprover(parts, owner.organizationId, 'approver')
  await set(bob, { email: 'bob@bücher.example' })
  await parts.db
    .updateTable('sso_domains')
    .set({ domain: 'xn--bcher-kva.example' })
    .where('provider_id', '=', provider.id)
    .execute()
  await parts.db.updateTable('sso_providers').set({ enforced: true }).where('id', '=', provider.id).execute()
  expect(await canSignIn(owner.organizationId, bob)).toBe(false)
})
