// Also tested elsewhere: over HTTP (surfaces/core/identity/keys/api-keys.test.ts).
import { expect, test } from 'vitest'
import { identityFixture, organization } from '../../../testing/identity/identity-fixture.ts'
import { beyondQuota, setQuotas } from '../../../testing/identity/set-quotas.ts'
import { failingTransact } from '../../../testing/index.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { createProfile } from '../profiles/create-profile.ts'
import { deleteProfile } from '../profiles/delete-profile.ts'
import { authenticateKey } from './authenticate-key.ts'
import { deleteKey } from './delete-key.ts'
import { type ApiKeyWithSecret, generateKey, type KeyRequest } from './generate-key.ts'
import { listKeys } from './list-keys.ts'
import { rotateKey } from './rotate-key.ts'

const parts = useFixture(identityFixture)

async function newKey(more: Partial<KeyRequest> = {}) {
  const { owner } = await organization(parts)
  const { organizationId } = owner
  const old = await generateKey(parts, { organizationId, name: 'Server', ...more })
  return { organizationId, userId: owner.userId, old }
}
const later = (seconds: number) => new Date(parts.clock.now().getTime() + seconds * 1_000)
const statusOf = async (key: string) => (await authenticateKey(parts, key, '192.0.2.1')).status

test('the new key has the rights of the old one, and both work until the overlap ends', async () => {
  const { organizationId, userId, old } = await newKey({
    permissions: ['read', 'ramp'],
    allowedAddresses: ['192.0.2.0/24'],
  })
  const next = await rotateKey(parts, { organizationId, keyId: old.id, overlapSeconds: 60, createdBy: userId })
  expect(next).toMatchObject({
    name: 'Server',
    scope: 'organization',
    permissions: ['read', 'ramp'],
    allowedAddresses: ['192.0.2.0/24'],
    expiresAt: null,
    createdBy: userId,
  })
  expect(next.apiKey).not.toBe(old.apiKey)
  parts.clock.advance(59_999)
  expect([await statusOf(old.apiKey), await statusOf(next.apiKey)]).toEqual(['valid', 'valid'])
  expect((await listKeys(parts, organizationId)).items.map(({ id }) => id)).toEqual([next.id, old.id])
  parts.clock.advance(1)
  expect([await statusOf(old.apiKey), await statusOf(next.apiKey)]).toEqual(['expired', 'valid'])
  expect((await listKeys(parts, organizationId)).items.map(({ id }) => id)).toEqual([next.id])
})

test('the overlap is a day by default, and never prolongs a key that expires earlier', async () => {
  const { organizationId, old } = await newKey()
  await rotateKey(parts, { organizationId, keyId: old.id })
  const soon = await newKey({ expiresAt: later(3_600) })
  parts.clock.advance(600_000)
  const next = await rotateKey(parts, { organizationId: soon.organizationId, keyId: soon.old.id })
  expect(next.expiresAt).toEqual(later(3_600))
  const expiries = await parts.db
    .selectFrom('api_keys')
    .select('expires_at')
    .where('id', 'in', [old.id, soon.old.id])
    .orderBy('id')
    .execute()
  expect(expiries.map((row) => row.expires_at)).toEqual([later(86_400 - 600), later(3_600 - 600)])
})

test('a key is rotated once, even when two requests come together', async () => {
  const { organizationId, old } = await newKey()
  const rotation = { organizationId, keyId: old.id, overlapSeconds: 0 }
  const results = await Promise.allSettled([rotateKey(parts, rotation), rotateKey(parts, rotation)])
  expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  expect((await listKeys(parts, organizationId)).items).toHaveLength(1)
  const again = await newKey()
  await rotateKey(parts, { organizationId: again.organizationId, keyId: again.old.id })
  const second = rotateKey(parts, { organizationId: again.organizationId, keyId: again.old.id })
  await expect(second).rejects.toMatchObject({ code: 'CONFLICT' })
})

test('a revoked or expired key and one of another organization are NOT_FOUND', async () => {
  const refused = { code: 'NOT_FOUND' }
  const revoked = await newKey()
  await deleteKey(parts, revoked.organizationId, revoked.old.id)
  const expired = await newKey({ expiresAt: later(1) })
  parts.clock.advance(1_000)
  for (const { organizationId, old } of [revoked, expired])
    await expect(rotateKey(parts, { organizationId, keyId: old.id })).rejects.toMatchObject(refused)
  const { old } = await newKey()
  const { organizationId } = await newKey()
  await expect(rotateKey(parts, { organizationId, keyId: old.id })).rejects.toMatchObject(refused)
})

test('no key outlives the deletion of its profile by a rotation at the same moment', async () => {
  const { owner } = await organization(parts)
  const { organizationId } = owner
  for (let round = 0; round < 10; round += 1) {
    const { id: walletProfileId } = await createProfile(parts, organizationId, { name: `Profile ${round}` })
    const { id: keyId } = await generateKey(parts, { organizationId, name: 'Key', walletProfileId })
    const [rotated] = await Promise.allSettled([
      rotateKey(parts, { organizationId, keyId }),
      deleteProfile(parts, organizationId, walletProfileId),
    ])
    if (rotated.status === 'fulfilled') expect(await statusOf(rotated.value.apiKey)).toBe('revoked')
    else expect(rotated.reason).toMatchObject({ code: 'NOT_FOUND' })
  }
})

test('a rotation commits together with the caller’s transaction', async () => {
  const { organizationId, old } = await newKey()
  const transact = failingTransact<ApiKeyWithSecret>(parts.db, 'the response was not recorded')
  await expect(rotateKey(parts, { organizationId, keyId: old.id }, transact)).rejects.toThrow('not recorded')
  expect((await listKeys(parts, organizationId)).items).toMatchObject([{ id: old.id, expiresAt: null }])
})

test('at its quota an organization rotates a key without an overlap, and with one only below it', async () => {
  const { organizationId, old } = await newKey()
  const { total } = await listKeys(parts, organizationId)
  await setQuotas(parts.db, organizationId, { apiKeys: total })
  const rotate = (keyId: number, overlapSeconds: number) => rotateKey(parts, { organizationId, keyId, overlapSeconds })
  await expect(rotate(old.id, 60)).rejects.toMatchObject(beyondQuota('apiKeys', total))
  const next = await rotate(old.id, 0)
  const [first, second] = await Promise.allSettled([rotate(next.id, 0), rotate(next.id, 0)])
  expect([first.status, second.status].sort()).toEqual(['fulfilled', 'rejected'])
  await expect(generateKey(parts, { organizationId, name: 'One more' })).rejects.toMatchObject(
    beyondQuota('apiKeys', total),
  )
})
