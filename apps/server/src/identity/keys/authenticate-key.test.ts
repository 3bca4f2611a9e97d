import fc from 'fast-check'
import { expect, test } from 'vitest'
import { identityFixture, organization } from '../../../testing/identity/identity-fixture.ts'
import { countStatements } from '../../../testing/index.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { keyRing } from '../../kernel/index.ts'
import { authenticatorOf } from '../authenticator.ts'
import { authenticateKey } from './authenticate-key.ts'
import { deleteKey } from './delete-key.ts'
import { generateKey, type KeyRequest } from './generate-key.ts'
import { listKeys } from './list-keys.ts'
import { validateKey } from './validate-key.ts'

const parts = useFixture(identityFixture)

async function newKey(more: Partial<KeyRequest> = {}) {
  const { owner } = await organization(parts)
  const key = await generateKey(parts, { organizationId: owner.organizationId, name: 'Server', ...more })
  return { ...key, organizationId: owner.organizationId }
}

test('a key is looked up with one statement and nothing else', async () => {
  const { apiKey, id, organizationId } = await newKey()
  const { result, statements, roundTrips } = await countStatements(() => authenticateKey(parts, apiKey))
  expect(result).toEqual({
    status: 'valid',
    credential: {
      kind: 'key',
      organizationId,
      keyId: id,
      scope: 'organization',
      walletProfileId: null,
      permissions: null,
      rateLimitOverrides: {},
    },
  })
  expect({ statements, roundTrips }).toEqual({ statements: 1, roundTrips: 1 })
})

test('a deleted key is refused from the next request on, even by another process', async () => {
  const { apiKey, id, organizationId } = await newKey()
  const elsewhere = { ...parts }
  expect(await authenticateKey(elsewhere, apiKey)).toMatchObject({ status: 'valid' })
  await deleteKey(parts, organizationId, id)
  expect(await authenticateKey(elsewhere, apiKey)).toEqual({ status: 'revoked', key: expect.anything() })
  await expect(authenticatorOf(elsewhere).key(apiKey)).rejects.toMatchObject({ code: 'API_KEY_DISABLED' })
})

test('a key of the other environment is unknown, without a database lookup', async () => {
  const { apiKey } = await newKey()
  const live = { ...parts, environment: 'live' as const }
  const check = await countStatements(() => authenticateKey(live, apiKey))
  expect(check.result).toEqual({ status: 'unknown' })
  expect(check.statements).toBe(0)
  const relabelled = apiKey.replace('svc_sandbox_', 'svc_live_')
  expect(await authenticateKey(live, relabelled)).toEqual({ status: 'unknown' })
})

test('only a real key is accepted, whatever is sent', async () => {
  const { apiKey } = await newKey()
  const texts = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc
      .string({ unit: fc.constantFrom(...'abcXYZ019'), minLength: 30, maxLength: 40 })
      .map((text) => `svc_sandbox_${text}`),
    fc.nat({ max: apiKey.length - 1 }).map((end) => apiKey.slice(0, end)),
    fc.constantFrom(`${apiKey} `, ` ${apiKey}`, `${apiKey}\n`, apiKey.toUpperCase(), apiKey.toLowerCase()),
  )
  await fc.assert(
    fc.asyncProperty(texts, async (text) => {
      expect((await authenticateKey(parts, text)).status).toBe('unknown')
    }),
    { numRuns: 100 },
  )
  await expect(authenticatorOf(parts).key('svc_sandbox_')).rejects.toMatchObject({ code: 'INVALID_API_KEY' })
})

test('a key of a deleted organization reports that', async () => {
  const { apiKey, organizationId } = await newKey()
  const { clock } = parts
  await parts.db
    .updateTable('organizations')
    .set({ deleted_at: clock.now() })
    .where('id', '=', organizationId)
    .execute()
  await expect(authenticatorOf(parts).key(apiKey)).rejects.toMatchObject({ code: 'ORGANIZATION_NOT_FOUND' })
})

test('an expired key is refused like a revoked one, from its expiry on', async () => {
  const { apiKey } = await newKey({ expiresAt: new Date(parts.clock.now().getTime() + 1_000) })
  parts.clock.advance(999)
  expect(await authenticateKey(parts, apiKey)).toMatchObject({ status: 'valid' })
  parts.clock.advance(1)
  expect(await authenticateKey(parts, apiKey)).toEqual({ status: 'expired', key: expect.anything() })
  expect(await validateKey(parts, apiKey)).toEqual({
    valid: false,
    message: 'The API key has expired.',
    refusal: expect.objectContaining({ reason: 'expired_key' }),
  })
  await expect(authenticatorOf(parts).key(apiKey)).rejects.toMatchObject({
    code: 'API_KEY_DISABLED',
    message: 'The API key has expired.',
  })
})

test('a key with an allow-list works from its networks only, and the refused use is not recorded', async () => {
  const { apiKey, organizationId } = await newKey({ allowedAddresses: ['192.0.2.0/24', '2001:db8::7'] })
  for (const outside of [undefined, '198.51.100.1', '2001:db8::8', 'unknown']) {
    expect(await authenticateKey(parts, apiKey, outside)).toEqual({
      status: 'address-not-allowed',
      key: expect.anything(),
    })
    await expect(authenticatorOf(parts).key(apiKey, outside)).rejects.toMatchObject({ code: 'FORBIDDEN' })
  }
  expect((await listKeys(parts, organizationId)).items).toMatchObject([{ lastUsedAt: null, lastUsedAddress: null }])
  for (const inside of ['192.0.2.1', '192.0.2.255', '2001:db8:0::7']) {
    expect(await authenticateKey(parts, apiKey, inside)).toMatchObject({ status: 'valid' })
  }
})

test('validate returns a result for any key and never throws', async () => {
  const { apiKey, id, organizationId } = await newKey()
  expect(await validateKey(parts, apiKey)).toMatchObject({ valid: true })
  expect(await validateKey(parts, 'nonsense')).toMatchObject({ valid: false })
  await deleteKey(parts, organizationId, id)
  expect(await validateKey(parts, apiKey)).toMatchObject({ valid: false })
})

test('the list shows when and from where a key was last used, without a write during the request', async () => {
  const { apiKey, id, organizationId } = await newKey()
  const unused = await listKeys(parts, organizationId)
  expect(unused.items).toMatchObject([{ id, lastUsedAt: null }])
  parts.clock.advance(60_000)
  await authenticateKey(parts, apiKey, '192.0.2.7')
  const { items } = await listKeys(parts, organizationId)
  expect(items).toMatchObject([{ id, lastUsedAt: parts.clock.now(), lastUsedAddress: '192.0.2.7' }])
  expect(Object.keys(items[0]!)).not.toContain('apiKey')
})

test('a key works under every pepper of the ring with one statement, and moves to the current one when it is used', async () => {
  const { apiKey, id } = await newKey()
  const stored = () =>
    parts.db.selectFrom('api_keys').select(['key_hash', 'pepper_id']).where('id', '=', id).executeTakeFirstOrThrow()
  const old = parts.secrets.pepper.keys.get('0')!
  const withPeppers = (...keys: [string, string][]) => ({
    ...parts,
    secrets: { ...parts.secrets, pepper: keyRing(keys) },
  })
  const fresh: [string, string] = ['2026b', 'another pepper of the tests']
  const both = withPeppers(fresh, ['0', old])
  const before = await stored()
  const check = await countStatements(() => authenticateKey(both, apiKey))
  expect(check.result).toMatchObject({ status: 'valid', credential: { keyId: id } })
  expect(check.statements).toBe(1)
  await parts.usage.flush()
  const after = await stored()
  expect([before.pepper_id, after.pepper_id]).toEqual(['0', '2026b'])
  expect(after.key_hash).not.toEqual(before.key_hash)
  expect(await authenticateKey(withPeppers(fresh), apiKey)).toMatchObject({ status: 'valid' })
  expect(await authenticateKey(withPeppers(['0', old]), apiKey)).toEqual({ status: 'unknown' })
})

test('a key whose pepper left the ring is unknown', async () => {
  const { apiKey } = await newKey()
  const pepper = keyRing([['2026b', 'another pepper of the tests']])
  const check = await authenticateKey({ ...parts, secrets: { ...parts.secrets, pepper } }, apiKey)
  expect(check).toEqual({ status: 'unknown' })
})
