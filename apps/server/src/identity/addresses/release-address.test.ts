// Also tested in: identity/invitations/accept-member-invitation.test.ts, identity/organizations/confirm-registration.test.ts
// (an invitation and a registration take an unproved address over).
import { expect, test } from 'vitest'
import { organization, PASSWORD } from '../../../testing/identity/identity-fixture.ts'
import { mailFixture } from '../../../testing/identity/mail-fixture.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { inTransaction } from '../../database/index.ts'
import { listAuditLog } from '../audit/list-audit-log.ts'
import { addMember } from '../members/add-member.ts'
import { listMembers } from '../members/list-members.ts'
import { authenticateBearer } from '../sessions/authenticate-bearer.ts'
import { logIn } from '../sessions/log-in.ts'
import { addressConflict, releaseAddress } from './release-address.ts'

const parts = useFixture(() => mailFixture('off'))

const release = (email: string, takeAddress: boolean) =>
  inTransaction(parts.db, (tx) => releaseAddress(tx, parts, { email, takeAddress }))

test('a member who never proved an address loses it, and keeps account, sessions and organization', async () => {
  const { user, owner, accessToken } = await organization(parts)
  const free = { email: user.email }
  await expect(release(user.email, false)).rejects.toMatchObject({
    code: 'CONFLICT',
    details: { reason: 'address_unproved' },
  })
  await release(user.email, true)
  expect(await authenticateBearer(parts, accessToken)).toMatchObject({ role: 'owner' })
  const email = `released-${user.id}@weir.invalid`
  expect((await listMembers(parts, owner.organizationId)).items).toMatchObject([{ id: user.id, email }])
  await expect(logIn(parts, { ...free, password: PASSWORD, address: '192.0.2.1' })).rejects.toMatchObject({
    code: 'UNAUTHORIZED',
  })
  await logIn(parts, { email, password: PASSWORD, address: '192.0.2.1' })
  const log = await listAuditLog(parts, owner.organizationId, {}, { limit: 1, offset: 0 })
  expect(log.items).toMatchObject([{ action: 'releaseAddress', objectId: user.id }])
})

test('a member who proved an address keeps it', async () => {
  const { user } = await organization(parts)
  await parts.db.updateTable('users').set({ email_verified_at: parts.clock.now() }).where('id', '=', user.id).execute()
  await expect(release(user.email, true)).rejects.toMatchObject({
    code: 'CONFLICT',
    details: { reason: 'address_in_use' },
  })
})

test('a free address needs nothing', async () => {
  await release('nobody@acme.example', true)
})

test('an address that somebody took meanwhile is a conflict, and any other error stays what it is', () => {
  const taken = Object.assign(new Error('duplicate'), { constraint: 'users_email' })
  expect(addressConflict(taken)).toMatchObject({ code: 'CONFLICT' })
  const other = new Error('other')
  expect(addressConflict(other)).toBe(other)
})

test('nobody can choose the login name that a released member would get', async () => {
  const { user, owner } = await organization(parts)
  const email = `Released-${user.id}@Weir.Invalid`
  const squatter = addMember(parts, owner, { email, role: 'viewer', password: PASSWORD })
  await expect(squatter).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
  await release(user.email, true)
})
