import { expect, test } from 'vitest'
import { newMember } from '../../../../testing/identity/new-member.ts'
import { organizationWithSso, ssoFixture } from '../../../../testing/identity/sso-fixture.ts'
import { useFixture } from '../../../../testing/use-fixture.ts'
import { inTransaction, type Tx } from '../../../database/index.ts'
import { findLinkedMember, linkMember, refuseSecondAccount } from './linked-accounts.ts'

const parts = useFixture(ssoFixture)

const inTx = <T>(work: (tx: Tx) => Promise<T>) => inTransaction(parts.db, work)

test('an account is linked to one member of an organization, and means nothing in another', async () => {
  const home = await organizationWithSso(parts)
  const other = await organizationWithSso(parts)
  const { id } = await newMember(parts, home.owner, 'viewer')
  const { organizationId } = home.owner
  const context = { organizationId, providerId: home.provider.id, at: parts.clock.now(), from: null }
  const account = { issuer: 'https://id.acme.example', subject: 'sub-1' }
  await inTx((tx) => linkMember(tx, context, account, id))
  await inTx((tx) => linkMember(tx, context, account, id))
  const find = (of: number, subject = 'sub-1', issuer = account.issuer) =>
    inTx((tx) => findLinkedMember(tx, of, { issuer, subject }))
  expect(await find(organizationId)).toEqual({ id, role: 'viewer', isRemoved: false })
  expect(await find(other.owner.organizationId)).toBeUndefined()
  expect(await find(organizationId, 'sub-2')).toBeUndefined()
  expect(await find(organizationId, 'sub-1', 'https://id.evil.example')).toBeUndefined()
})

test('a member has one account at an issuer, and may have one at another', async () => {
  const home = await organizationWithSso(parts)
  const { id } = await newMember(parts, home.owner, 'viewer')
  const { organizationId } = home.owner
  const context = { organizationId, providerId: home.provider.id, at: parts.clock.now(), from: null }
  await inTx((tx) => linkMember(tx, context, { issuer: 'https://a.example', subject: 'old' }, id))
  const second = (issuer: string, subject: string) =>
    inTx((tx) => refuseSecondAccount(tx, { organizationId, id }, { issuer, subject }))
  await expect(second('https://a.example', 'new')).rejects.toMatchObject({ details: { reason: 'already_linked' } })
  await second('https://a.example', 'old')
  await second('https://b.example', 'new')
})
