import { expect, test } from 'vitest'
import { enrollPasskey, enrollTotp } from '../../../testing/identity/enroll-factors.ts'
import { identityFixture, organization } from '../../../testing/identity/identity-fixture.ts'
import { newMember } from '../../../testing/identity/new-member.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { inTransaction } from '../../database/index.ts'
import { removeMember } from '../members/remove-member.ts'
import { lockFactors, markVerified, refreshFactors, shareFactors } from './factors-of-user.ts'

const parts = useFixture(identityFixture)

test('the list of factors follows their rows', async () => {
  const { owner } = await organization(parts)
  const refresh = () => inTransaction(parts.db, (tx) => refreshFactors(tx, owner))
  expect(await refresh()).toEqual([])
  await enrollTotp(parts, owner)
  await enrollPasskey(parts, owner)
  expect(await refresh()).toEqual(['totp', 'passkey'])
  await parts.db.deleteFrom('user_totp').where('user_id', '=', owner.userId).execute()
  expect(await refresh()).toEqual(['passkey'])
  expect(await inTransaction(parts.db, (tx) => shareFactors(tx, owner))).toEqual(['passkey'])
})

test('a removed member has none, and cannot get one', async () => {
  const { owner } = await organization(parts)
  const { id, credential } = await newMember(parts, owner, 'viewer')
  await removeMember(parts, owner, id)
  expect(await inTransaction(parts.db, (tx) => shareFactors(tx, credential))).toBeUndefined()
  await expect(inTransaction(parts.db, (tx) => lockFactors(tx, credential))).rejects.toMatchObject({
    code: 'UNAUTHORIZED',
  })
  await expect(inTransaction(parts.db, (tx) => markVerified(tx, parts, credential))).rejects.toMatchObject({
    code: 'UNAUTHORIZED',
  })
})
