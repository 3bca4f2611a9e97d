// Also tested elsewhere: over HTTP (surfaces/core/identity/keys/service-accounts.test.ts), and that who rotated approves
// nothing that is requested with the new secret (changes/requests/request-change.test.ts).
import { expect, test } from 'vitest'
import { identityFixture, organization } from '../../../testing/identity/identity-fixture.ts'
import { failingTransact } from '../../../testing/index.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { authenticateServiceAccount } from './authenticate-service-account.ts'
import { createServiceAccount } from './create-service-account.ts'
import { getServiceAccount } from './get-service-account.ts'
import { rotateServiceAccount } from './rotate-service-account.ts'
import type { ServiceAccountWithSecret } from './service-account.ts'

const parts = useFixture(identityFixture)

async function newAccount(expiresAt?: Date) {
  const { owner } = await organization(parts)
  const { organizationId, userId: createdBy } = owner
  const made = await createServiceAccount(parts, { organizationId, createdBy, name: 'sync', role: 'admin', expiresAt })
  return { made, rotation: { organizationId, serviceAccountId: made.id, createdBy } }
}
const statusOf = async (secret: string) => (await authenticateServiceAccount(parts, secret)).status
const later = (seconds: number) => new Date(parts.clock.now().getTime() + seconds * 1_000)

test('both secrets work until the overlap ends, and the account keeps its id, name and role', async () => {
  const { made, rotation } = await newAccount()
  const next = await rotateServiceAccount(parts, { ...rotation, overlapSeconds: 60 })
  expect(next).toMatchObject({ id: made.id, name: 'sync', role: 'admin', secrets: [{}, { expiresAt: later(60) }] })
  parts.clock.advance(59_999)
  expect([await statusOf(made.secret), await statusOf(next.secret)]).toEqual(['valid', 'valid'])
  parts.clock.advance(1)
  expect([await statusOf(made.secret), await statusOf(next.secret)]).toEqual(['expired', 'valid'])
  await rotateServiceAccount(parts, { ...rotation, overlapSeconds: 60 })
})

test('the overlap never prolongs a secret that expires earlier', async () => {
  const { made, rotation } = await newAccount(later(600))
  const next = await rotateServiceAccount(parts, rotation)
  expect(next.secrets.map(({ expiresAt }) => expiresAt)).toEqual([later(600), later(600)])
  parts.clock.advance(600_000)
  expect(await statusOf(made.secret)).toBe('expired')
})

test('one secret is current after two rotations at once, and never more than two work', async () => {
  const { made, rotation } = await newAccount()
  const rotated = await Promise.allSettled([1, 2, 3].map(() => rotateServiceAccount(parts, rotation)))
  expect(rotated.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected'])
  expect((await getServiceAccount(parts, rotation)).secrets).toHaveLength(2)
  await Promise.all([1, 2, 3].map(() => rotateServiceAccount(parts, { ...rotation, overlapSeconds: 0 })))
  expect((await getServiceAccount(parts, rotation)).secrets).toHaveLength(1)
  expect(await statusOf(made.secret)).toBe('expired')
})

test('a rotation commits together with the caller’s transaction', async () => {
  const { made, rotation } = await newAccount()
  const transact = failingTransact<ServiceAccountWithSecret>(parts.db, 'the response was not recorded')
  const failed = rotateServiceAccount(parts, { ...rotation, overlapSeconds: 0 }, transact)
  await expect(failed).rejects.toThrow('not recorded')
  expect(await statusOf(made.secret)).toBe('valid')
})
