// Also tested in: identity/organizations/create-organization.test.ts (the default profile of each organization).

import { expect, test } from 'vitest'
import { identityFixture, organization } from '../../../testing/identity/identity-fixture.ts'
import { failingTransact } from '../../../testing/index.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import type { Blockchain } from '../../chains/index.ts'
import { createProfile } from './create-profile.ts'
import { getProfile } from './get-profile.ts'
import { listProfiles } from './list-profiles.ts'
import type { WalletProfile } from './profile.ts'

const parts = useFixture(identityFixture)

const newOrganization = async () => (await organization(parts)).owner.organizationId

test('a profile starts with all chains and two minutes', async () => {
  const organizationId = await newOrganization()
  const { id, ...created } = await createProfile(parts, organizationId, { name: ' Treasury ' })
  expect(created).toEqual({
    name: 'Treasury',
    isDefault: false,
    enabledChains: ['solana', 'polygon', 'ethereum', 'base'],
    operationTimeoutSeconds: 120,
    createdAt: parts.clock.now(),
  })
  expect(await getProfile(parts, organizationId, id)).toEqual({ id, ...created })
})

test('chains are stored once each, in the order of the list of all chains', async () => {
  const fields = { name: 'Payroll', enabledChains: ['base', 'polygon', 'base'], operationTimeoutSeconds: 30 } as const
  const created = await createProfile(parts, await newOrganization(), fields)
  expect(created).toMatchObject({ enabledChains: ['polygon', 'base'], operationTimeoutSeconds: 30 })
})

test.each([
  ['name', { name: '' }],
  ['enabledChains', { enabledChains: [] }],
  ['enabledChains', { enabledChains: ['base', 'arbitrum'] as Blockchain[] }],
  ['operationTimeoutSeconds', { operationTimeoutSeconds: 29 }],
  ['operationTimeoutSeconds', { operationTimeoutSeconds: 3_601 }],
  ['operationTimeoutSeconds', { operationTimeoutSeconds: 60.5 }],
])('a malformed %s creates no profile', async (path, wrong) => {
  const organizationId = await newOrganization()
  const created = createProfile(parts, organizationId, { name: 'New', ...wrong })
  await expect(created).rejects.toMatchObject({ code: 'VALIDATION_ERROR', details: { issues: [{ path }] } })
  expect((await listProfiles(parts, organizationId)).items).toMatchObject([{ name: 'default' }])
})

test('a creation commits together with the caller’s transaction', async () => {
  const organizationId = await newOrganization()
  const transact = failingTransact<WalletProfile>(parts.db, 'the response was not recorded')
  await expect(createProfile(parts, organizationId, { name: 'New' }, transact)).rejects.toThrow('not recorded')
  expect((await listProfiles(parts, organizationId)).items).toMatchObject([{ name: 'default' }])
})
