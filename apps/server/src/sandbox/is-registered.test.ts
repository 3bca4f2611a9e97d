import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshAddress } from '../../testing/chains/fresh-address.ts'
import { type IdentityFixture, identityFixture, organization } from '../../testing/identity/identity-fixture.ts'
import { isRegistered } from './is-registered.ts'

let parts: IdentityFixture

beforeAll(async () => {
  parts = await identityFixture()
})
afterAll(() => parts?.close())

test('a wallet is registered on its own chain only, for any organization', async () => {
  const { owner } = await organization(parts)
  const { organizationId: organization_id } = owner
  const profile = await parts.db
    .selectFrom('wallet_profiles')
    .select('id')
    .where('organization_id', '=', organization_id)
    .executeTakeFirstOrThrow()
  const address = freshAddress()
  await parts.db
    .insertInto('wallets')
    .values({
      organization_id,
      wallet_profile_id: profile.id,
      blockchain: 'polygon',
      address,
      created_at: parts.clock.now(),
    })
    .execute()
  expect(await isRegistered(parts.db, 'polygon', address)).toBe(true)
  expect(await isRegistered(parts.db, 'base', address)).toBe(false)
  expect(await isRegistered(parts.db, 'polygon', freshAddress())).toBe(false)
})
