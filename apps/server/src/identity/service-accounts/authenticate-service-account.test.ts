import { expect, test } from 'vitest'
import { identityFixture, organization } from '../../../testing/identity/identity-fixture.ts'
import { countStatements } from '../../../testing/index.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { keyRing } from '../../kernel/index.ts'
import { authenticateServiceAccount } from './authenticate-service-account.ts'
import { createServiceAccount, type ServiceAccountRequest } from './create-service-account.ts'
import { getServiceAccount } from './get-service-account.ts'

const parts = useFixture(identityFixture)

async function newAccount(more: Partial<ServiceAccountRequest> = {}) {
  const { owner } = await organization(parts)
  const { organizationId, userId: createdBy } = owner
  const made = await createServiceAccount(parts, { organizationId, createdBy, name: 'sync', role: 'viewer', ...more })
  return { ...made, organizationId, serviceAccountId: made.id, createdBy }
}

test('a secret gives the role of its account and names who holds it, with one statement', async () => {
  const { secret, organizationId, serviceAccountId, createdBy } = await newAccount()
  const { result, statements } = await countStatements(() => authenticateServiceAccount(parts, secret, '192.0.2.7'))
  expect(statements).toBe(1)
  expect(result).toEqual({
    status: 'valid',
    credential: {
      kind: 'service_account',
      organizationId,
      serviceAccountId,
      role: 'viewer',
      heldBy: createdBy,
      rateLimitOverrides: {},
    },
  })
  await parts.usage.flush()
  const { secrets } = await getServiceAccount(parts, { organizationId, serviceAccountId })
  expect(secrets).toMatchObject([{ lastUsedAt: parts.clock.now(), lastUsedAddress: '192.0.2.7' }])
})

test('a secret works from the networks of its account only, and from nowhere without an address', async () => {
  const { secret } = await newAccount({ allowedAddresses: ['192.0.2.0/24'] })
  expect(await authenticateServiceAccount(parts, secret, '192.0.2.7')).toMatchObject({ status: 'valid' })
  for (const from of ['198.51.100.1', 'not an address', undefined])
    expect(await authenticateServiceAccount(parts, secret, from)).toMatchObject({ status: 'address-not-allowed' })
})

test('a secret of a deleted organization, of the other environment and one that nobody got do not work', async () => {
  const { secret, organizationId } = await newAccount()
  const live = { ...parts, environment: 'live' as const }
  expect(await authenticateServiceAccount(live, secret)).toEqual({ status: 'unknown' })
  expect(await authenticateServiceAccount(parts, `sa_sandbox_${'a'.repeat(36)}`)).toEqual({ status: 'unknown' })
  await parts.db
    .updateTable('organizations')
    .set({ deleted_at: parts.clock.now() })
    .where('id', '=', organizationId)
    .execute()
  expect(await authenticateServiceAccount(parts, secret)).toMatchObject({ status: 'organization-deleted' })
})

test('a secret works under every pepper of the ring, and moves to the current one when it is used', async () => {
  const { secret } = await newAccount()
  const old = parts.secrets.pepper.keys.get('0')!
  const fresh: [string, string] = ['2026b', 'another pepper of the tests']
  const withPeppers = (...keys: [string, string][]) => ({
    ...parts,
    secrets: { ...parts.secrets, pepper: keyRing(keys) },
  })
  expect(await authenticateServiceAccount(withPeppers(fresh), secret)).toEqual({ status: 'unknown' })
  expect(await authenticateServiceAccount(withPeppers(fresh, ['0', old]), secret)).toMatchObject({ status: 'valid' })
  await parts.usage.flush()
  expect(await authenticateServiceAccount(withPeppers(fresh), secret)).toMatchObject({ status: 'valid' })
  expect(await authenticateServiceAccount(withPeppers(['0', old]), secret)).toEqual({ status: 'unknown' })
})
