import { expect, test } from 'vitest'
import { identityFixture, organization } from '../../../testing/identity/identity-fixture.ts'
import { failingTransact } from '../../../testing/index.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import type { Blockchain } from '../../chains/index.ts'
import { createProfile } from './create-profile.ts'
import { deleteProfile } from './delete-profile.ts'
import { getProfile } from './get-profile.ts'
import type { WalletProfile } from './profile.ts'
import { updateProfile } from './update-profile.ts'

const parts = useFixture(identityFixture)

const notFound = { code: 'NOT_FOUND' }

async function profile() {
  const { owner } = await organization(parts)
  const { organizationId } = owner
  return { organizationId, ...(await createProfile(parts, organizationId, { name: 'Treasury' })) }
}

test('a profile stores the given changes and keeps the rest', async () => {
  const { organizationId, ...created } = await profile()
  const { id } = created
  const fields = { name: ' Payroll ', enabledChains: ['base', 'polygon', 'base'], operationTimeoutSeconds: 30 } as const
  const changed = await updateProfile(parts, { organizationId, profileId: id, fields })
  const stored = { name: 'Payroll', enabledChains: ['polygon', 'base'], operationTimeoutSeconds: 30 }
  expect(changed).toEqual({ ...created, ...stored })
  expect(await updateProfile(parts, { organizationId, profileId: id, fields: {} })).toEqual(changed)
  expect(await updateProfile(parts, { organizationId, profileId: id, fields: { name: 'Taxes' } })).toEqual({
    ...changed,
    name: 'Taxes',
  })
  expect(await getProfile(parts, organizationId, id)).toEqual({ ...changed, name: 'Taxes' })
})

test.each([
  ['name', { name: '' }],
  ['enabledChains', { enabledChains: [] }],
  ['enabledChains', { enabledChains: ['base', 'arbitrum'] as Blockchain[] }],
  ['operationTimeoutSeconds', { operationTimeoutSeconds: 29 }],
  ['operationTimeoutSeconds', { operationTimeoutSeconds: 3_601 }],
  ['operationTimeoutSeconds', { operationTimeoutSeconds: 60.5 }],
])('a malformed %s changes nothing', async (path, wrong) => {
  const { organizationId, ...created } = await profile()
  const changed = updateProfile(parts, { organizationId, profileId: created.id, fields: wrong })
  await expect(changed).rejects.toMatchObject({ code: 'VALIDATION_ERROR', details: { issues: [{ path }] } })
  expect(await getProfile(parts, organizationId, created.id)).toEqual(created)
})

test('a profile that was deleted, or is another organization’s, does not exist', async () => {
  const { organizationId, ...created } = await profile()
  const { owner } = await organization(parts)
  for (const fields of [{ name: 'Mine' }, {}])
    await expect(
      updateProfile(parts, { organizationId: owner.organizationId, profileId: created.id, fields }),
    ).rejects.toMatchObject(notFound)
  expect(await getProfile(parts, organizationId, created.id)).toEqual(created)
  await deleteProfile(parts, organizationId, created.id)
  await expect(
    updateProfile(parts, { organizationId, profileId: created.id, fields: { name: 'Back' } }),
  ).rejects.toMatchObject(notFound)
})

test('a change commits together with the caller’s transaction', async () => {
  const { organizationId, ...created } = await profile()
  const transact = failingTransact<WalletProfile>(parts.db, 'the response was not recorded')
  const changed = updateProfile(parts, { organizationId, profileId: created.id, fields: { name: 'Late' } }, transact)
  await expect(changed).rejects.toThrow('not recorded')
  expect(await getProfile(parts, organizationId, created.id)).toEqual(created)
})
