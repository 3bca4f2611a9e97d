import { expect, test } from 'vitest'
import { organization, PASSWORD } from '../../../../testing/identity/identity-fixture.ts'
import { logIn } from '../../../../testing/identity/log-in.ts'
import { newMember } from '../../../../testing/identity/new-member.ts'
import { organizationWithSso, ssoFixture } from '../../../../testing/identity/sso-fixture.ts'
import { useFixture } from '../../../../testing/use-fixture.ts'
import { listDomains } from '../domains/list-domains.ts'
import { deleteProvider } from './delete-provider.ts'
import { listProviders } from './list-providers.ts'
import { updateProvider } from './update-provider.ts'

const parts = useFixture(ssoFixture)

test('a deleted provider is gone, its domain stays proved, and passwords work again', async () => {
  const { owner, provider, domain } = await organizationWithSso(parts)
  const member = await newMember(parts, owner, 'viewer')
  const email = `ada@${domain}`
  await parts.db.updateTable('users').set({ email }).where('id', '=', member.id).execute()
  await updateProvider(parts, { actor: owner, providerId: provider.id, changes: { enforced: true } })
  const login = { email, password: PASSWORD, address: '192.0.2.1' }
  await expect(logIn(parts, login)).rejects.toMatchObject({ details: { reason: 'sso_required' } })
  await deleteProvider(parts, owner, provider.id)
  expect(await listProviders(parts, owner.organizationId)).toEqual([])
  expect(await listDomains(parts, owner.organizationId)).toMatchObject([{ domain, providerId: null }])
  expect((await logIn(parts, login)).user.id).toBe(member.id)
  await expect(deleteProvider(parts, owner, provider.id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

test('a provider of another organization is not found and stays', async () => {
  const theirs = await organizationWithSso(parts)
  const { owner } = await organization(parts)
  await expect(deleteProvider(parts, owner, theirs.provider.id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  expect(await listProviders(parts, theirs.owner.organizationId)).toEqual([theirs.provider])
})
