// Also tested elsewhere: what the list refuses (require-destination.test.ts).
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type IdentityFixture, identityFixture, organization } from '../../testing/identity/identity-fixture.ts'
import type { UserCredential } from '../identity/index.ts'
import { DESTINATIONS_MAX } from '../kernel/index.ts'
import { addDestination } from './add-destination.ts'
import { listDestinations } from './list-destinations.ts'

const ADDRESS = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'

let parts: IdentityFixture
let owner: UserCredential
beforeAll(async () => {
  parts = await identityFixture()
})
afterAll(() => parts?.close())
beforeEach(async () => {
  ;({ owner } = await organization(parts))
})

const add = (address: string, blockchain: 'base' | 'polygon' | 'solana' = 'base') =>
  addDestination(parts, owner, { blockchain, address, label: 'Treasury' })

test('an address is stored in its canonical spelling, with its author and time', async () => {
  const added = await add(ADDRESS.toLowerCase())
  expect(added).toEqual({
    id: expect.any(Number),
    blockchain: 'base',
    address: ADDRESS,
    label: 'Treasury',
    createdBy: owner.userId,
    createdAt: parts.clock.now(),
  })
  expect(await listDestinations(parts.db, owner.organizationId)).toEqual({ enforced: false, destinations: [added] })
})

test('another spelling of the same address is a CONFLICT; another blockchain is another destination', async () => {
  await add(ADDRESS)
  for (const spelling of [ADDRESS, ADDRESS.toLowerCase(), `0x${ADDRESS.slice(2).toUpperCase()}`])
    await expect(add(spelling)).rejects.toMatchObject({ code: 'CONFLICT' })
  await add(ADDRESS, 'polygon')
})

test('what is no address of the blockchain is refused', async () => {
  for (const text of [` ${ADDRESS}`, `${ADDRESS}\n`, ADDRESS.replace('fCD6', 'fcD6'), '', 'nobody'])
    await expect(add(text)).rejects.toMatchObject({ code: 'INVALID_ADDRESS' })
  await expect(add(ADDRESS, 'solana')).rejects.toMatchObject({ code: 'INVALID_ADDRESS' })
})

test(`a list has at most ${DESTINATIONS_MAX} addresses, and simultaneous additions respect it`, async () => {
  const { organizationId, userId } = owner
  const rows = Array.from({ length: DESTINATIONS_MAX - 1 }, (_, index) => ({
    organization_id: organizationId,
    blockchain: 'base',
    address: `0x${index.toString(16).padStart(40, '0')}`,
    label: 'one of many',
    created_by: userId,
    created_at: parts.clock.now(),
  }))
  await parts.db.insertInto('destinations').values(rows).execute()
  const outcomes = await Promise.allSettled([add(ADDRESS), add(ADDRESS, 'polygon')])
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
})
