// Also tested in: identity/invitations/accept-member-invitation.test.ts (who may use an invitation, and when).
import { expect, test } from 'vitest'
import { organization } from '../../../testing/identity/identity-fixture.ts'
import { mailFixture } from '../../../testing/identity/mail-fixture.ts'
import { newMember } from '../../../testing/identity/new-member.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import type { UserCredential } from '../shared/credential.ts'
import { inviteMember } from './invite-member.ts'
import { listMemberInvitations } from './list-member-invitations.ts'

const parts = useFixture(mailFixture)

const invite = (actor: UserCredential, email: string, role: 'owner' | 'viewer' = 'viewer') =>
  inviteMember(parts, actor, { email, role })
async function proved() {
  const party = await organization(parts)
  await parts.db.updateTable('users').set({ email_verified_at: parts.clock.now() }).execute()
  await parts.mails()
  return party
}
const open = async (organizationId: number) =>
  (await listMemberInvitations(parts, organizationId)).items.map(({ email }) => email)

test('an invitation is a row with a hash, and an email that names organization, inviter and role', async () => {
  const { owner, user, organization: home } = await proved()
  const invitation = await invite(owner, 'New@acme.example')
  expect(invitation).toMatchObject({ email: 'new@acme.example', role: 'viewer', invitedBy: user.id })
  expect(invitation.expiresAt.getTime() - parts.clock.now().getTime()).toBe(7 * 86_400_000)
  const [mail] = await parts.mails()
  expect(mail).toMatchObject({
    to: 'new@acme.example',
    content: { kind: 'member_invitation', organizationName: home.name, invitedBy: user.email, role: 'viewer' },
  })
  const stored = JSON.stringify(await parts.db.selectFrom('member_invitations').selectAll().execute())
  expect(stored).not.toContain((mail!.content as { token: string }).token)
})

test('an address with an account elsewhere is invited like any other, a member of the organization is not', async () => {
  const [{ owner, user }, other] = [await proved(), await proved()]
  await invite(owner, other.user.email)
  await expect(invite(owner, user.email)).rejects.toMatchObject({ code: 'CONFLICT' })
})

test('an admin invites no owner, and nobody invites before their own address is proved', async () => {
  const { owner } = await proved()
  const { credential } = await newMember(parts, owner, 'admin')
  await expect(invite(credential, 'x@acme.example')).rejects.toMatchObject({
    details: { reason: 'email_not_verified' },
  })
  await parts.db.updateTable('users').set({ email_verified_at: parts.clock.now() }).execute()
  await expect(invite(credential, 'x@acme.example', 'owner')).rejects.toMatchObject({ code: 'FORBIDDEN' })
  await invite(credential, 'x@acme.example')
  expect(await open(owner.organizationId)).toEqual(['x@acme.example'])
})

test('another invitation of an address ends the earlier one', async () => {
  const { owner } = await proved()
  await invite(owner, 'again@acme.example')
  const { id } = await invite(owner, 'again@acme.example')
  expect((await listMemberInvitations(parts, owner.organizationId)).items.map((one) => one.id)).toEqual([id])
})

test('an organization sends fifty invitations in a day', async () => {
  const { owner } = await proved()
  for (let i = 0; i < 50; i += 1) await invite(owner, `person${i}@acme.example`)
  await expect(invite(owner, 'one-more@acme.example')).rejects.toMatchObject({ code: 'RATE_LIMIT_EXCEEDED' })
  parts.clock.advance(86_400_000)
  await invite(owner, 'one-more@acme.example')
})

test('a malformed address, and a service without mail, refuse', async () => {
  const { owner } = await proved()
  await expect(invite(owner, 'a@b.example\nBcc: c@d.example')).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
  const without = inviteMember({ ...parts, mail: undefined }, owner, { email: 'a@b.example', role: 'viewer' })
  await expect(without).rejects.toMatchObject({ details: { reason: 'mail_unavailable' } })
  expect(await parts.mails()).toEqual([])
})
