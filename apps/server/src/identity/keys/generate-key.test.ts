// Also tested in: identity/profiles/delete-profile.test.ts (a key created while its profile is being deleted does not work).

import { expect, test } from 'vitest'
import { identityFixture, organization } from '../../../testing/identity/identity-fixture.ts'
import { failingTransact } from '../../../testing/index.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { authenticatorOf } from '../authenticator.ts'
import { createProfile } from '../profiles/create-profile.ts'
import { type ApiKeyWithSecret, generateKey, type KeyRequest } from './generate-key.ts'
import { listKeys } from './list-keys.ts'

const parts = useFixture(identityFixture)

test('a key has the scope that was requested', async () => {
  const { owner } = await organization(parts)
  const { organizationId } = owner
  const profile = await createProfile(parts, organizationId, { name: 'Treasury' })
  const requests = [{}, { isAdmin: true }, { walletProfileId: profile.id }]
  const scopes = []
  for (const request of requests) {
    const { apiKey } = await generateKey(parts, { organizationId, name: 'Key', ...request })
    const { scope, walletProfileId } = await authenticatorOf(parts).key(apiKey)
    scopes.push({ scope, walletProfileId })
  }
  expect(scopes).toEqual([
    { scope: 'organization', walletProfileId: null },
    { scope: 'admin', walletProfileId: null },
    { scope: 'profile', walletProfileId: profile.id },
  ])
})

test('only the last four characters of a key’s secret are stored', async () => {
  const { owner } = await organization(parts)
  const { organizationId } = owner
  const { apiKey, id, keyPreview } = await generateKey(parts, { organizationId, name: 'Server' })
  const row = await parts.db.selectFrom('api_keys').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const secret = apiKey.slice('svc_sandbox_'.length)
  expect(secret).toMatch(/^[0-9A-Za-z]{32,}$/)
  expect(keyPreview).toBe(`svc_sandbox_…${secret.slice(-4)}`)
  expect(JSON.stringify({ ...row, key_hash: row.key_hash.toString('latin1') })).not.toContain(secret.slice(0, -4))
})

test('a key is either an admin key or tied to a profile, never both, and it has a name', async () => {
  const { organizationId } = (await organization(parts)).owner
  const { id } = await createProfile(parts, organizationId, { name: 'Treasury' })
  const refused = { code: 'VALIDATION_ERROR' }
  const both = { organizationId, name: 'Both', walletProfileId: id, isAdmin: true }
  await expect(generateKey(parts, both)).rejects.toMatchObject(refused)
  await expect(generateKey(parts, { organizationId, name: '' })).rejects.toMatchObject(refused)
  expect((await listKeys(parts, organizationId)).items).toEqual([])
})

test('no key is created for another organization’s profile', async () => {
  const { organizationId } = (await organization(parts)).owner
  const stranger = (await organization(parts)).owner.organizationId
  const { id } = await createProfile(parts, stranger, { name: 'Treasury' })
  const created = generateKey(parts, { organizationId, name: 'Mine', walletProfileId: id })
  await expect(created).rejects.toMatchObject({ code: 'NOT_FOUND' })
  expect((await listKeys(parts, organizationId)).items).toEqual([])
})

test('a key has the requested permissions, addresses, expiry and creator', async () => {
  const { organizationId, userId } = (await organization(parts)).owner
  const expiresAt = new Date(parts.clock.now().getTime() + 60_000)
  const key = await generateKey(parts, {
    organizationId,
    name: 'Signer',
    permissions: ['submit', 'read', 'submit'],
    allowedAddresses: ['10.0.0.5', '2001:DB8::/32', '10.0.0.5'],
    expiresAt,
    createdBy: userId,
  })
  const rights = {
    permissions: ['submit', 'read'],
    allowedAddresses: ['10.0.0.5/32', '2001:db8::/32'],
    expiresAt,
    createdBy: userId,
  }
  expect(key).toMatchObject(rights)
  expect((await listKeys(parts, organizationId)).items).toMatchObject([rights])
  const { permissions } = await authenticatorOf(parts).key(key.apiKey, '10.0.0.5')
  expect(permissions).toEqual(['submit', 'read'])
})

test('permissions that the scope does not have, and agent with another one, are refused', async () => {
  const { organizationId } = (await organization(parts)).owner
  const { id: walletProfileId } = await createProfile(parts, organizationId, { name: 'Treasury' })
  const refused: Partial<KeyRequest>[] = [
    { permissions: [] },
    { permissions: ['agent', 'read'] },
    { permissions: ['agent'], walletProfileId },
    { permissions: ['plan'], isAdmin: true },
    { permissions: ['submit'], isAdmin: true },
  ]
  for (const request of refused) {
    const created = generateKey(parts, { organizationId, name: 'Key', ...request })
    await expect(created, JSON.stringify(request)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { issues: [{ path: 'permissions' }] },
    })
  }
  const allowed: Partial<KeyRequest>[] = [
    { permissions: ['agent'] },
    { permissions: ['read', 'plan', 'submit', 'ramp'], walletProfileId },
    { permissions: ['read', 'ramp'], isAdmin: true },
  ]
  for (const request of allowed) await generateKey(parts, { organizationId, name: 'Key', ...request })
})

test('an allow-list has only addresses and networks, and an expiry is in the future', async () => {
  const { organizationId } = (await organization(parts)).owner
  const malformed = [
    '',
    '10.0.0',
    '10.0.0.0/33',
    '10.0.0.0/',
    '1/2/3',
    '::ffff:10.0.0.1',
    'fe80::1%eth0',
    'host.example',
  ]
  for (const address of malformed) {
    const created = generateKey(parts, { organizationId, name: 'Key', allowedAddresses: ['10.0.0.1', address] })
    await expect(created, address).rejects.toMatchObject({ details: { issues: [{ path: 'allowedAddresses[1]' }] } })
  }
  for (const allowedAddresses of [[], Array.from({ length: 51 }, (_, i) => `10.0.0.${i}`)]) {
    const created = generateKey(parts, { organizationId, name: 'Key', allowedAddresses })
    await expect(created).rejects.toMatchObject({ details: { issues: [{ path: 'allowedAddresses' }] } })
  }
  const now = parts.clock.now()
  for (const expiresAt of [now, new Date(Number.NaN)]) {
    const created = generateKey(parts, { organizationId, name: 'Key', expiresAt })
    await expect(created).rejects.toMatchObject({ details: { issues: [{ path: 'expiresAt' }] } })
  }
  expect((await listKeys(parts, organizationId)).items).toEqual([])
})

test('a key commits together with the caller’s transaction', async () => {
  const { organizationId } = (await organization(parts)).owner
  const transact = failingTransact<ApiKeyWithSecret>(parts.db, 'the response was not recorded')
  await expect(generateKey(parts, { organizationId, name: 'Late' }, transact)).rejects.toThrow('not recorded')
  expect((await listKeys(parts, organizationId)).items).toEqual([])
})
