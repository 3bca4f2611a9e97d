// Also tested elsewhere: over HTTP (surfaces/core/identity/keys/service-accounts.test.ts).
import { expect, test } from 'vitest'
import { identityFixture, organization } from '../../../testing/identity/identity-fixture.ts'
import { beyondQuota, setQuotas } from '../../../testing/identity/set-quotas.ts'
import { failingTransact } from '../../../testing/index.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { generateKey } from '../keys/generate-key.ts'
import { createServiceAccount } from './create-service-account.ts'
import { listServiceAccounts } from './list-service-accounts.ts'
import type { ServiceAccountWithSecret } from './service-account.ts'

const parts = useFixture(identityFixture)

const newOwner = async () => {
  const { owner } = await organization(parts)
  return { organizationId: owner.organizationId, createdBy: owner.userId, name: 'sync', role: 'admin' } as const
}

test('accounts and keys share a quota', async () => {
  const request = await newOwner()
  const { organizationId } = request
  await setQuotas(parts.db, organizationId, { apiKeys: 2 })
  await generateKey(parts, { organizationId, name: 'A key' })
  await createServiceAccount(parts, request)
  const refused = beyondQuota('apiKeys', 2)
  await expect(createServiceAccount(parts, request)).rejects.toMatchObject(refused)
  await expect(generateKey(parts, { organizationId, name: 'Another key' })).rejects.toMatchObject(refused)
})

test('an account commits together with the caller’s transaction', async () => {
  const request = await newOwner()
  const transact = failingTransact<ServiceAccountWithSecret>(parts.db, 'the response was not recorded')
  await expect(createServiceAccount(parts, request, transact)).rejects.toThrow('not recorded')
  expect((await listServiceAccounts(parts, request.organizationId)).items).toEqual([])
})
