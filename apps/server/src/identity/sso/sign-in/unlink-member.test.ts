// Also tested in: house-changes.test.ts, system/attacks/sso.test.ts (a rule for members holds it back).

import { expect, test } from 'vitest'
import { newMember } from '../../../../testing/identity/new-member.ts'
import { organizationWithSso, ssoMailFixture } from '../../../../testing/identity/sso-fixture.ts'
import { useFixture } from '../../../../testing/use-fixture.ts'
import { inTransaction, type Role } from '../../../database/index.ts'
import { authenticateBearer } from '../../sessions/authenticate-bearer.ts'
import { findLinkedMember, linkMember } from './linked-accounts.ts'
import { unlinkMember } from './unlink-member.ts'

const parts = useFixture(ssoMailFixture)

/** A member with a linked account. */
async function linkedMember({ owner, provider }: Awaited<ReturnType<typeof organizationWithSso>>, role: Role) {
  const { organizationId } = owner
  const member = await newMember(parts, owner, role)
  const account = { issuer: provider.issuer, subject: `sub-${member.id}` }
  const context = { organizationId, providerId: provider.id, at: parts.clock.now(), from: null }
  await inTransaction(parts.db, (tx) => linkMember(tx, context, account, member.id))
  const linkedTo = () => inTransaction(parts.db, (tx) => findLinkedMember(tx, organizationId, account))
  return { ...member, linkedTo }
}

const notices = async () => (await parts.mails()).filter(({ content }) => content.kind === 'notice')

test('an unlinked account belongs to nobody, and the member’s sessions end', async () => {
  const home = await organizationWithSso(parts)
  const { owner } = home
  const member = await linkedMember(home, 'viewer')
  const admin = (await newMember(parts, owner, 'admin')).credential
  expect(await unlinkMember(parts, admin, member.id)).toBe(1)
  expect(await member.linkedTo()).toBeUndefined()
  expect(await authenticateBearer(parts, member.accessToken)).toBeUndefined()
  await expect(unlinkMember(parts, admin, owner.userId)).rejects.toMatchObject({ code: 'FORBIDDEN' })
})

test('an admin unlinks themselves and no other admin, who could not sign in again without their help', async () => {
  const home = await organizationWithSso(parts)
  const [admin, other] = [await linkedMember(home, 'admin'), await linkedMember(home, 'admin')]
  const attempt = unlinkMember(parts, admin.credential, other.id)
  await expect(attempt).rejects.toMatchObject({ code: 'FORBIDDEN' })
  expect(await other.linkedTo()).toMatchObject({ id: other.id })
  expect(await authenticateBearer(parts, other.accessToken)).toBeDefined()
  await unlinkMember(parts, admin.credential, admin.id)
  await unlinkMember(parts, home.owner, other.id)
  expect([await admin.linkedTo(), await other.linkedTo()]).toEqual([undefined, undefined])
})

test('an email tells a member that somebody unlinked their accounts, if there were any', async () => {
  const home = await organizationWithSso(parts)
  const member = await linkedMember(home, 'approver')
  await parts.mails()
  await unlinkMember(parts, home.owner, member.id)
  const change = { what: 'accounts_unlinked' }
  expect(await notices()).toMatchObject([{ to: member.email, content: { change } }])
  await unlinkMember(parts, home.owner, member.id)
  expect(await notices()).toEqual([])
})
