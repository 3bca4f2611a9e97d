// The guarantee of resolve-member.ts and members/sso-requirement.ts about owners.

import { expect, test } from 'vitest'
import { PASSWORD } from '../../../../testing/identity/identity-fixture.ts'
import { logIn } from '../../../../testing/identity/log-in.ts'
import { newMember } from '../../../../testing/identity/new-member.ts'
import { organizationWithSso, ssoFixture } from '../../../../testing/identity/sso-fixture.ts'
import { useFixture } from '../../../../testing/use-fixture.ts'
import { inTransaction } from '../../../database/index.ts'
import { findAccount } from '../../sessions/find-account.ts'
import { resolveMember } from '../sign-in/resolve-member.ts'
import { updateProvider } from './update-provider.ts'

const parts = useFixture(ssoFixture)

/** An organization whose owner has an address of the provider's domain. */
async function home(allowOwner: boolean) {
  const roleMappings = [{ value: 'staff', role: 'viewer' }] as const
  const made = await organizationWithSso(parts, { roleClaim: 'groups', roleMappings, allowOwner })
  const email = `ada@${made.domain}`
  await parts.db.updateTable('users').set({ email }).where('id', '=', made.owner.userId).execute()
  return { ...made, email }
}
type Home = Awaited<ReturnType<typeof home>>

function signIn({ owner, provider }: Home, email: string, subject: string) {
  const { organizationId } = owner
  const about = { organizationId, providerId: provider.id, at: parts.clock.now(), from: null }
  const context = { ...about, rules: parts.sso.roleRules, assignedPasswords: 'one-time', notices: parts } as const
  const claims = { email, email_verified: true, groups: ['staff'] }
  const verified = { issuer: provider.issuer, subject, claims, signedClaims: { amr: ['mfa'] } }
  return inTransaction(parts.db, (tx) => resolveMember(tx, context, verified))
}

const links = ({ owner }: Home) =>
  parts.db.selectFrom('sso_identities').selectAll().where('organization_id', '=', owner.organizationId).execute()
const refused = { code: 'FORBIDDEN', details: { reason: 'owner_not_allowed' } }
const withPassword = (email: string) => logIn(parts, { email, password: PASSWORD, address: '192.0.2.1' })

test('a provider without allowOwner signs nobody in by an owner’s address, and links nothing', async () => {
  const at = await home(false)
  await expect(signIn(at, at.email, 'made by the help desk')).rejects.toMatchObject(refused)
  expect(await links(at)).toEqual([])
  expect((await withPassword(at.email)).user.role).toBe('owner')
})

test('a linked member who becomes an owner is refused at a provider without allowOwner', async () => {
  const at = await home(false)
  const email = `grace@${at.domain}`
  const { id } = await signIn(at, email, 'grace')
  await parts.db.updateTable('users').set({ role: 'owner' }).where('id', '=', id).execute()
  await expect(signIn(at, email, 'grace')).rejects.toMatchObject(refused)
  await parts.db.updateTable('users').set({ role: 'admin' }).where('id', '=', id).execute()
  expect((await signIn(at, email, 'grace')).id).toBe(id)
})

test('with allowOwner an owner signs in, and the last one stays one', async () => {
  const at = await home(true)
  const { organizationId, userId } = at.owner
  expect((await signIn(at, at.email, 'ada')).id).toBe(userId)
  expect((await findAccount(parts.db, { organizationId, userId }))?.account.user.role).toBe('owner')
})

test('where a provider is enforced, owners use passwords unless it signs them in; others never do', async () => {
  const at = await home(false)
  const member = await newMember(parts, at.owner, 'admin')
  const email = `max@${at.domain}`
  await parts.db.updateTable('users').set({ email }).where('id', '=', member.id).execute()
  const change = (changes: object) => updateProvider(parts, { actor: at.owner, providerId: at.provider.id, changes })
  const sso = { code: 'FORBIDDEN', details: { reason: 'sso_required' } }
  await change({ enforced: true })
  await withPassword(at.email)
  await expect(withPassword(email)).rejects.toMatchObject(sso)
  await change({ allowOwner: true })
  await expect(withPassword(at.email)).rejects.toMatchObject(sso)
  await change({ breakGlassMemberId: at.owner.userId })
  await withPassword(at.email)
})
