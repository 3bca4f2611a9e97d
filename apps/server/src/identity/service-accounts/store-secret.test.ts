import { expect, test } from 'vitest'
import { identityFixture, organization } from '../../../testing/identity/identity-fixture.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { createServiceAccount } from './create-service-account.ts'
import { storeSecret } from './store-secret.ts'

const parts = useFixture(identityFixture)

test('a secret is stored as a keyed hash with its last characters, and an account has one current secret', async () => {
  const { owner } = await organization(parts)
  const { organizationId, userId: createdBy } = owner
  const made = await createServiceAccount(parts, { organizationId, createdBy, name: 'sync', role: 'viewer' })
  const stored = await parts.db.selectFrom('service_account_secrets').selectAll().execute()
  expect(JSON.stringify(stored)).not.toContain(made.secret.slice(11, -4))
  expect(stored).toMatchObject([{ preview: `sa_sandbox_…${made.secret.slice(-4)}`, pepper_id: '0' }])
  const second = { organizationId, serviceAccountId: made.id, createdBy, expiresAt: null }
  const stolen = parts.db.transaction().execute((tx) => storeSecret(tx, parts, second))
  await expect(stolen).rejects.toThrow('service_account_secrets_current')
})
