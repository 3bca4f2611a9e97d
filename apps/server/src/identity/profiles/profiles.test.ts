import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type IdentityFixture, identityFixture, organization } from '../../../testing/identity-fixture.ts'
import type { Blockchain } from '../../chains/index.ts'
import { authenticateKey } from '../keys/authenticate-key.ts'
import { deleteKey } from '../keys/delete-key.ts'
import { generateKey } from '../keys/generate-key.ts'
import { listKeys } from '../keys/list-keys.ts'
import { createProfile } from './create-profile.ts'
import { deleteProfile } from './delete-profile.ts'
import { getProfile } from './get-profile.ts'
import { listProfiles } from './list-profiles.ts'
import { updateProfile } from './update-profile.ts'

let parts: IdentityFixture
beforeAll(async () => {
  parts = await identityFixture()
})
afterAll(() => parts.close())

const conflict = { code: 'CONFLICT' }
const notFound = { code: 'NOT_FOUND' }

async function profile() {
  const { owner } = await organization(parts)
  const { organizationId } = owner
  return { organizationId, ...(await createProfile(parts, organizationId, { name: 'Treasury' })) }
}

async function addWallet(organizationId: number, profileId: number) {
  const wallet = { blockchain: 'base', address: '0x00000000000000000000000000000000000000AA', created_at: new Date(0) }
  await parts.db
    .insertInto('wallets')
    .values({ ...wallet, organization_id: organizationId, wallet_profile_id: profileId })
    .execute()
}

test('a profile starts with all chains and two minutes, and stores its changes', async () => {
  const { id, organizationId, ...created } = await profile()
  expect(created).toEqual({
    name: 'Treasury',
    isDefault: false,
    enabledChains: ['solana', 'polygon', 'ethereum', 'base'],
    operationTimeoutSeconds: 120,
    createdAt: parts.clock.now(),
  })
  const changes = {
    name: ' Payroll ',
    enabledChains: ['base', 'polygon', 'base'],
    operationTimeoutSeconds: 30,
  } as const
  const changed = await updateProfile(parts, organizationId, id, changes)
  expect(changed).toMatchObject({ name: 'Payroll', enabledChains: ['polygon', 'base'], operationTimeoutSeconds: 30 })
  expect(await updateProfile(parts, organizationId, id, {})).toEqual(changed)
  expect(await getProfile(parts, organizationId, id)).toEqual(changed)
})

test.each([
  ['name', { name: '' }],
  ['enabledChains', { enabledChains: [] }],
  ['enabledChains', { enabledChains: ['base', 'arbitrum'] as Blockchain[] }],
  ['operationTimeoutSeconds', { operationTimeoutSeconds: 29 }],
  ['operationTimeoutSeconds', { operationTimeoutSeconds: 3_601 }],
  ['operationTimeoutSeconds', { operationTimeoutSeconds: 60.5 }],
])('refuses a malformed %s', async (path, wrong) => {
  const { id, organizationId } = await profile()
  const refusal = { code: 'VALIDATION_ERROR', details: { issues: [{ path }] } }
  await expect(createProfile(parts, organizationId, { name: 'New', ...wrong })).rejects.toMatchObject(refusal)
  await expect(updateProfile(parts, organizationId, id, wrong)).rejects.toMatchObject(refusal)
})

describe('deleting a profile', () => {
  test('disables its keys and no others, and makes it unknown', async () => {
    const { id, organizationId } = await profile()
    const own = await generateKey(parts, { organizationId, name: 'Own', walletProfileId: id })
    const other = await generateKey(parts, { organizationId, name: 'Other' })
    await deleteProfile(parts, organizationId, id)
    expect(await authenticateKey(parts, own.apiKey)).toEqual({ status: 'revoked' })
    expect(await authenticateKey(parts, other.apiKey)).toMatchObject({ status: 'valid' })
    expect((await listKeys(parts, organizationId)).items).toMatchObject([{ id: other.id }])
    await expect(getProfile(parts, organizationId, id)).rejects.toMatchObject(notFound)
    await expect(updateProfile(parts, organizationId, id, { name: 'Back' })).rejects.toMatchObject(notFound)
    await expect(deleteProfile(parts, organizationId, id)).rejects.toMatchObject(notFound)
    const late = generateKey(parts, { organizationId, name: 'Late', walletProfileId: id })
    await expect(late).rejects.toMatchObject(notFound)
  })

  test('is refused for the default profile and for one with wallets, whose keys keep working', async () => {
    const { id, organizationId } = await profile()
    const { apiKey } = await generateKey(parts, { organizationId, name: 'Own', walletProfileId: id })
    await addWallet(organizationId, id)
    await expect(deleteProfile(parts, organizationId, id)).rejects.toMatchObject(conflict)
    expect(await authenticateKey(parts, apiKey)).toMatchObject({ status: 'valid' })
    const { items } = await listProfiles(parts, organizationId)
    const byDefault = items.find(({ isDefault }) => isDefault)!
    await expect(deleteProfile(parts, organizationId, byDefault.id)).rejects.toMatchObject(conflict)
    expect(items.map((item) => item.id)).toEqual([id, byDefault.id])
  })

  test('while keys are created for it leaves no working key', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { id, organizationId } = await profile()
      const make = () => generateKey(parts, { organizationId, name: 'Race', walletProfileId: id })
      const [, ...made] = await Promise.allSettled([deleteProfile(parts, organizationId, id), make(), make(), make()])
      for (const outcome of made) {
        if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject(notFound)
        else expect(await authenticateKey(parts, outcome.value.apiKey)).toEqual({ status: 'revoked' })
      }
    }
  })
})

test('a profile of another organization looks like one that does not exist', async () => {
  const { id, organizationId } = await profile()
  const key = await generateKey(parts, { organizationId, name: 'Own', walletProfileId: id })
  const { owner } = await organization(parts)
  const here = owner.organizationId
  const outcomes = await Promise.allSettled([
    getProfile(parts, here, id),
    updateProfile(parts, here, id, { name: 'Mine' }),
    deleteProfile(parts, here, id),
    generateKey(parts, { organizationId: here, name: 'Mine', walletProfileId: id }),
    deleteKey(parts, here, key.id),
  ])
  for (const outcome of outcomes) expect(outcome).toMatchObject({ status: 'rejected', reason: notFound })
  expect((await listKeys(parts, here)).items).toEqual([])
  expect((await listProfiles(parts, here)).items).toMatchObject([{ name: 'default' }])
  expect(await authenticateKey(parts, key.apiKey)).toMatchObject({ status: 'valid' })
})

test('a key is either an admin key or tied to a profile, never both', async () => {
  const { id, organizationId } = await profile()
  const both = { organizationId, name: 'Both', walletProfileId: id, isAdmin: true }
  await expect(generateKey(parts, both)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
  await expect(generateKey(parts, { organizationId, name: '' })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
})
