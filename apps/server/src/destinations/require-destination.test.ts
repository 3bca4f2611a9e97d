import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type IdentityFixture, identityFixture, organization } from '../../testing/identity/identity-fixture.ts'
import type { UserCredential } from '../identity/index.ts'
import { addDestination } from './add-destination.ts'
import { enforceDestinations } from './enforce-destinations.ts'
import { requireDestination } from './require-destination.ts'

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

const check = (blockchain: 'base' | 'polygon', organizationId = owner.organizationId) =>
  requireDestination(parts.db, organizationId, { blockchain, address: ADDRESS })
const enforce = (enforced: boolean) => enforceDestinations(parts, { organizationId: owner.organizationId, enforced })

test('every address is allowed while the list is not enforced, and the listed ones while it is', async () => {
  await check('base')
  await enforce(true)
  await expect(check('base')).rejects.toMatchObject({
    code: 'FORBIDDEN',
    details: { reason: 'destination_not_allowed', blockchain: 'base', address: ADDRESS },
  })
  await addDestination(parts, owner, { blockchain: 'base', address: ADDRESS, label: 'Treasury' })
  await check('base')
  await expect(check('polygon')).rejects.toMatchObject({ code: 'FORBIDDEN' })
  await enforce(false)
  await check('polygon')
})

test('the list of another organization allows nothing, and its enforcement refuses nothing', async () => {
  const { owner: other } = await organization(parts)
  await addDestination(parts, other, { blockchain: 'base', address: ADDRESS, label: 'Theirs' })
  await enforce(true)
  await expect(check('base')).rejects.toMatchObject({ code: 'FORBIDDEN' })
  await check('polygon', other.organizationId)
})
