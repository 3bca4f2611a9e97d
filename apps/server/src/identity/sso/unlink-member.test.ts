import { expect, test } from 'vitest'
import { newMember } from '../../../testing/new-member.ts'
import { organizationWithSso, ssoFixture } from '../../../testing/sso-fixture.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { inTransaction } from '../../database/index.ts'
import { authenticateBearer } from '../sessions/authenticate-bearer.ts'
import { findLinkedMember, linkMember } from './linked-accounts.ts'
import { unlinkMember } from './unlink-member.ts'

const parts = useFixture(ssoFixture)

test('an unlinked account belongs to nobody, and the member’s sessions end', async () => {
  const { owner, provider } = await organizationWithSso(parts)
  const { organizationId } = owner
  const member = await newMember(parts, owner, 'viewer')
  const admin = (await newMember(parts, owner, 'admin')).credential
  const account = { issuer: provider.issuer, subject: 'sub-1' }
  const context = { organizationId, providerId: provider.id, at: parts.clock.now(), from: null }
  await inTransaction(parts.db, (tx) => linkMember(tx, context, account, member.id))
  expect(await unlinkMember(parts, admin, member.id)).toBe(1)
  expect(await inTransaction(parts.db, (tx) => findLinkedMember(tx, organizationId, account))).toBeUndefined()
  expect(await authenticateBearer(parts, member.accessToken)).toBeUndefined()
  await expect(unlinkMember(parts, admin, owner.userId)).rejects.toMatchObject({ code: 'FORBIDDEN' })
})
