import { expect, test } from 'vitest'
import { organization } from '../../../../testing/identity/identity-fixture.ts'
import { organizationWithSso, ssoFixture } from '../../../../testing/identity/sso-fixture.ts'
import { useFixture } from '../../../../testing/use-fixture.ts'
import { listProviders } from './list-providers.ts'
import { readProvider, secretLabel } from './provider.ts'
import { updateProvider } from './update-provider.ts'

const parts = useFixture(ssoFixture)

test('named fields change, omitted ones stay, and a new secret replaces the old one', async () => {
  const { owner, provider } = await organizationWithSso(parts)
  const changes = { name: 'Other', clientSecret: 'another secret', breakGlassMemberId: owner.userId }
  const changed = await updateProvider(parts, { actor: owner, providerId: provider.id, changes })
  expect(changed).toEqual({
    ...provider,
    name: 'Other',
    breakGlassMemberId: owner.userId,
    updatedAt: changed.updatedAt,
  })
  const ref = { organizationId: owner.organizationId, providerId: provider.id }
  const { sealedSecret } = await readProvider(parts.db, ref)
  expect(parts.sso.sealer.open(sealedSecret, secretLabel(ref.organizationId, ref.providerId))).toBe('another secret')
})

test('an empty list of domains removes them, and a provider without domains cannot be enforced', async () => {
  const { owner, provider } = await organizationWithSso(parts)
  const ref = { actor: owner, providerId: provider.id }
  expect((await updateProvider(parts, { ...ref, changes: { domains: [] } })).domains).toEqual([])
  await expect(updateProvider(parts, { ...ref, changes: { enforced: true } })).rejects.toMatchObject({
    code: 'VALIDATION_ERROR',
  })
})

test('a provider of another organization is not found and does not change', async () => {
  const theirs = await organizationWithSso(parts)
  const { owner } = await organization(parts)
  const input = { actor: owner, providerId: theirs.provider.id, changes: { name: 'Mine' } }
  await expect(updateProvider(parts, input)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  expect(await listProviders(parts, theirs.owner.organizationId)).toEqual([theirs.provider])
})
