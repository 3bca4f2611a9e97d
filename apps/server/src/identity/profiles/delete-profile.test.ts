import { expect, test } from 'vitest'
import { identityFixture, organization } from '../../../testing/identity/identity-fixture.ts'
import { failingTransact } from '../../../testing/index.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { authenticateKey } from '../keys/authenticate-key.ts'
import { generateKey } from '../keys/generate-key.ts'
import { listKeys } from '../keys/list-keys.ts'
import { createProfile } from './create-profile.ts'
import { deleteProfile } from './delete-profile.ts'
import { getProfile } from './get-profile.ts'
import { listProfiles } from './list-profiles.ts'

const parts = useFixture(identityFixture)

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

test('deleting a profile disables its keys and no others, and makes it unknown', async () => {
  const { id, organizationId } = await profile()
  const own = await generateKey(parts, { organizationId, name: 'Own', walletProfileId: id })
  const other = await generateKey(parts, { organizationId, name: 'Other' })
  await deleteProfile(parts, organizationId, id)
  expect(await authenticateKey(parts, own.apiKey)).toEqual({ status: 'revoked', key: expect.anything() })
  expect(await authenticateKey(parts, other.apiKey)).toMatchObject({ status: 'valid' })
  expect((await listKeys(parts, organizationId)).items).toMatchObject([{ id: other.id }])
  await expect(getProfile(parts, organizationId, id)).rejects.toMatchObject(notFound)
  await expect(deleteProfile(parts, organizationId, id)).rejects.toMatchObject(notFound)
  const late = generateKey(parts, { organizationId, name: 'Late', walletProfileId: id })
  await expect(late).rejects.toMatchObject(notFound)
})

test('the default profile and a profile with wallets cannot be deleted, and their keys keep working', async () => {
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

test('keys created while the profile is being deleted do not work afterwards', async () => {
  for (let round = 0; round < 5; round += 1) {
    const { id, organizationId } = await profile()
    const make = () => generateKey(parts, { organizationId, name: 'Race', walletProfileId: id })
    const [, ...made] = await Promise.allSettled([deleteProfile(parts, organizationId, id), make(), make(), make()])
    for (const outcome of made) {
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject(notFound)
      else
        expect(await authenticateKey(parts, outcome.value.apiKey)).toEqual({
          status: 'revoked',
          key: expect.anything(),
        })
    }
  }
})

test('a profile of another organization looks like one that does not exist', async () => {
  const { id, organizationId } = await profile()
  const { apiKey } = await generateKey(parts, { organizationId, name: 'Own', walletProfileId: id })
  const here = (await organization(parts)).owner.organizationId
  await expect(getProfile(parts, here, id)).rejects.toMatchObject(notFound)
  await expect(deleteProfile(parts, here, id)).rejects.toMatchObject(notFound)
  expect((await listProfiles(parts, here)).items).toMatchObject([{ name: 'default' }])
  expect(await authenticateKey(parts, apiKey)).toMatchObject({ status: 'valid' })
})

test('a deletion commits together with the caller’s transaction', async () => {
  const { id, organizationId } = await profile()
  const { apiKey } = await generateKey(parts, { organizationId, name: 'Own', walletProfileId: id })
  const transact = failingTransact<void>(parts.db, 'the response was not recorded')
  await expect(deleteProfile(parts, organizationId, id, transact)).rejects.toThrow('not recorded')
  expect(await authenticateKey(parts, apiKey)).toMatchObject({ status: 'valid' })
})
