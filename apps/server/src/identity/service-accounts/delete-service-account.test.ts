// Also tested elsewhere: over HTTP (surfaces/core/identity/keys/service-accounts.test.ts).
import { expect, test } from 'vitest'
import { identityFixture, organization } from '../../../testing/identity/identity-fixture.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { authenticateServiceAccount } from './authenticate-service-account.ts'
import { createServiceAccount } from './create-service-account.ts'
import { deleteServiceAccount } from './delete-service-account.ts'
import { rotateServiceAccount } from './rotate-service-account.ts'

const parts = useFixture(identityFixture)

test('every secret of a deleted account is refused from the next request on, and other accounts go on working', async () => {
  const { owner } = await organization(parts)
  const { organizationId, userId: createdBy } = owner
  const request = { organizationId, createdBy, name: 'sync', role: 'viewer' } as const
  const [gone, kept] = [await createServiceAccount(parts, request), await createServiceAccount(parts, request)]
  const owned = { organizationId, serviceAccountId: gone.id }
  const next = await rotateServiceAccount(parts, { ...owned, createdBy })
  const other = await organization(parts)
  const foreign = { ...owned, organizationId: other.owner.organizationId }
  await expect(deleteServiceAccount(parts, foreign)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await deleteServiceAccount(parts, owned)
  for (const secret of [gone.secret, next.secret])
    expect(await authenticateServiceAccount(parts, secret)).toMatchObject({ status: 'deleted' })
  expect(await authenticateServiceAccount(parts, kept.secret)).toMatchObject({ status: 'valid' })
  await expect(deleteServiceAccount(parts, owned)).rejects.toMatchObject({ code: 'NOT_FOUND' })
})
