import { afterAll, beforeAll, expect, test } from 'vitest'
import { type IdentityFixture, identityFixture, organization } from '../../testing/identity.ts'
import { countStatements } from '../../testing/index.ts'
import { authenticatorOf, createProfile, deleteKey, deleteProfile, generateKey } from './index.ts'

let parts: IdentityFixture

beforeAll(async () => {
  parts = await identityFixture()
})
afterAll(() => parts.close())

async function newKey() {
  const { organizationId } = (await organization(parts)).owner
  return { organizationId, ...(await generateKey(parts, { organizationId, name: 'A key' })) }
}

test('a key in steady use is looked up once a lease, and each use is noted', async () => {
  const { apiKey } = await newKey()
  const authenticator = authenticatorOf(parts)
  const first = await authenticator.key(apiKey)
  const { result, statements } = await countStatements(() => authenticator.key(apiKey))
  expect([result, statements]).toEqual([first, 0])
})

test('a deleted key works in no process from the moment that the deletion is answered', async () => {
  const { apiKey, id, organizationId } = await newKey()
  const processes = [authenticatorOf(parts), authenticatorOf(parts), authenticatorOf(parts)]
  let isDeleted = false
  const deletion = deleteKey(parts, organizationId, id).then(() => {
    isDeleted = true
  })
  const accepted: boolean[] = []
  // They use it all the while, so that their leases begin as late as they can.
  await Promise.all(
    processes.map(async (authenticator) => {
      for (let told = false; !told; ) {
        told = isDeleted
        const works = await authenticator.key(apiKey).then(
          () => true,
          () => false,
        )
        if (told) accepted.push(works)
      }
    }),
  )
  await deletion
  expect(accepted).toEqual([false, false, false])
})

test('the keys of a deleted profile work no more either', async () => {
  const { organizationId } = (await organization(parts)).owner
  const profile = await createProfile(parts, organizationId, { name: 'short-lived' })
  const { apiKey } = await generateKey(parts, { organizationId, name: 'A key', walletProfileId: profile.id })
  const authenticator = authenticatorOf(parts)
  await authenticator.key(apiKey)
  await deleteProfile(parts, organizationId, profile.id)
  await expect(authenticator.key(apiKey)).rejects.toMatchObject({ code: 'API_KEY_DISABLED' })
})

test('a key that does not hold is looked up each time', async () => {
  const { apiKey, id, organizationId } = await newKey()
  await deleteKey(parts, organizationId, id)
  const authenticator = authenticatorOf(parts)
  await expect(authenticator.key(apiKey)).rejects.toMatchObject({ code: 'API_KEY_DISABLED' })
  const { statements } = await countStatements(() => authenticator.key(apiKey).catch(() => undefined))
  expect(statements).toBe(1)
})
