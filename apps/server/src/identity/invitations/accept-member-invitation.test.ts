import { afterAll, beforeAll, expect, test } from 'vitest'
import { organization, PASSWORD } from '../../../testing/identity/identity-fixture.ts'
import { type MailFixture, mailFixture } from '../../../testing/identity/mail-fixture.ts'
import { newMember } from '../../../testing/identity/new-member.ts'
import { freshNetwork } from '../../../testing/surfaces/fresh-network.ts'
import { inTransaction, type Role } from '../../database/index.ts'
import { listMembers } from '../members/list-members.ts'
import { removeMember } from '../members/remove-member.ts'
import { requireApprover } from '../members/require-approver.ts'
import { updateMember } from '../members/update-member.ts'
import { deleteOrganization } from '../organizations/delete-organization.ts'
import { logIn } from '../sessions/log-in.ts'
import type { UserCredential } from '../shared/credential.ts'
import { acceptMemberInvitation } from './accept-member-invitation.ts'
import { inviteMember } from './invite-member.ts'
import { listMemberInvitations } from './list-member-invitations.ts'
import { revokeMemberInvitation } from './revoke-member-invitation.ts'

let parts: MailFixture
beforeAll(async () => {
  parts = { ...(await mailFixture('off')), assignedPasswords: 'one-time' }
})
afterAll(() => parts?.close())

let invited = 0
const accept = (token: string, takeAddress = false) =>
  acceptMemberInvitation(parts, {
    token,
    name: 'Grace',
    password: PASSWORD,
    takeAddress,
    address: freshNetwork(),
  })
async function invitation(actor: UserCredential, role: Role = 'approver', to?: string) {
  invited += 1
  const email = to ?? `new${invited}@acme.example`
  const { id } = await inviteMember(parts, actor, { email, role })
  return { id, email, token: await parts.tokenFor(email) }
}
const invalid = { code: 'FORBIDDEN', details: { reason: 'invalid_token' } }
const membersOf = async (organizationId: number) => (await listMembers(parts, organizationId)).items.length
const asAdmin = async (owner: UserCredential) => newMember({ ...parts, assignedPasswords: 'lasting' }, owner, 'admin')

test('an accepted invitation makes a member with a proved address and an own password, who approves after a day', async () => {
  const { owner, organization: home } = await organization(parts)
  const { email, token } = await invitation(owner)
  const session = await accept(token)
  expect(session).toMatchObject({ user: { email, name: 'Grace', role: 'approver' }, organization: home })
  expect(session).not.toHaveProperty('passwordChangeRequired')
  const member = { organizationId: home.id, userId: session.user.id }
  const approves = () => inTransaction(parts.db, (tx) => requireApprover(tx, parts.clock.now(), member))
  // The inviter may read that mailbox as well.
  parts.clock.advance(86_400_000 - 1)
  await expect(approves()).rejects.toMatchObject({ code: 'FORBIDDEN', message: /24 hours/ })
  parts.clock.advance(1)
  await approves()
  expect((await listMembers(parts, home.id)).items).toMatchObject([{ email, emailVerified: true }, {}])
  await logIn(parts, { email, password: PASSWORD, address: '192.0.2.1' })
  expect((await listMemberInvitations(parts, home.id)).items).toEqual([])
})

test('an invitation works once, also when it is accepted twice at the same time', async () => {
  const { owner } = await organization(parts)
  const { token } = await invitation(owner)
  const outcomes = await Promise.allSettled([accept(token), accept(token)])
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  await expect(accept(token)).rejects.toMatchObject(invalid)
  expect(await membersOf(owner.organizationId)).toBe(2)
})

test('an invitation that was revoked, replaced or expired is not valid', async () => {
  const { owner } = await organization(parts)
  const revoked = await invitation(owner)
  await revokeMemberInvitation(parts, owner, revoked.id)
  const replaced = await invitation(owner)
  await invitation(owner, 'approver', replaced.email)
  const late = await invitation(owner)
  parts.clock.advance(7 * 86_400_000)
  for (const { token } of [revoked, replaced, late]) await expect(accept(token)).rejects.toMatchObject(invalid)
  expect(await membersOf(owner.organizationId)).toBe(1)
})

test('an invitation ends with its inviter’s right to send it', async () => {
  const { owner } = await organization(parts)
  const admin = await asAdmin(owner)
  const { token } = await invitation(admin.credential)
  await updateMember(parts, { actor: owner, memberId: admin.id, changes: { role: 'viewer' } })
  await expect(accept(token)).rejects.toMatchObject(invalid)
  await removeMember(parts, owner, admin.id)
  await expect(accept(token)).rejects.toMatchObject(invalid)
})

test('an owner’s invitation of an owner ends when the inviter is no longer an owner', async () => {
  const { owner } = await organization(parts)
  const second = await newMember({ ...parts, assignedPasswords: 'lasting' }, owner, 'owner')
  const { token } = await invitation(second.credential, 'owner')
  await updateMember(parts, { actor: owner, memberId: second.id, changes: { role: 'admin' } })
  await expect(accept(token)).rejects.toMatchObject(invalid)
})

test('an invitation to a deleted organization is not valid', async () => {
  const { owner, organization: home } = await organization(parts)
  const { token } = await invitation(owner)
  await deleteOrganization(parts, { actor: owner, name: home.name, assertDeletable: async () => {} })
  await expect(accept(token)).rejects.toMatchObject(invalid)
})

test('an address with an account elsewhere is taken over only if nobody proved it, and only on request', async () => {
  const [{ owner }, other] = [await organization(parts), await organization(parts)]
  const { token } = await invitation(owner, 'viewer', other.user.email)
  await expect(accept(token)).rejects.toMatchObject({ code: 'CONFLICT', details: { reason: 'address_unproved' } })
  const verify = (at: Date | null) =>
    parts.db.updateTable('users').set({ email_verified_at: at }).where('id', '=', other.user.id).execute()
  await verify(parts.clock.now())
  await expect(accept(token, true)).rejects.toMatchObject({ details: { reason: 'address_in_use' } })
  await verify(null)
  expect(await accept(token, true)).toMatchObject({ user: { email: other.user.email, role: 'viewer' } })
})
