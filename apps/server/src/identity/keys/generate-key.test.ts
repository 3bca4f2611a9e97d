// Also tested in: identity/profiles/delete-profile.test.ts (a key created while its profile is being deleted does not work).

import { afterAll, beforeAll, expect, test } from 'vitest'
import { type IdentityFixture, identityFixture, organization } from '../../../testing/identity-fixture.ts'
import { failingTransact } from '../../../testing/index.ts'
import { authenticatorOf } from '../authenticator.ts'
import { createProfile } from '../profiles/create-profile.ts'
import { type ApiKeyWithSecret, generateKey } from './generate-key.ts'
import { listKeys } from './list-keys.ts'

let parts: IdentityFixture
beforeAll(async () => {
  parts = await identityFixture()
})
afterAll(() => parts?.close())

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

test('a key commits together with the caller’s transaction', async () => {
  const { organizationId } = (await organization(parts)).owner
  const transact = failingTransact<ApiKeyWithSecret>(parts.db, 'the response was not recorded')
  await expect(generateKey(parts, { organizationId, name: 'Late' }, transact)).rejects.toThrow('not recorded')
  expect((await listKeys(parts, organizationId)).items).toEqual([])
})
