// Also tested in: identity/invitations/accept-member-invitation.test.ts (a revoked invitation is not valid).
import { expect, test } from 'vitest'
import { organization } from '../../../testing/identity/identity-fixture.ts'
import { mailFixture } from '../../../testing/identity/mail-fixture.ts'
import { newMember } from '../../../testing/identity/new-member.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { inviteMember } from './invite-member.ts'
import { listMemberInvitations } from './list-member-invitations.ts'
import { revokeMemberInvitation } from './revoke-member-invitation.ts'

const parts = useFixture(() => mailFixture('off'))

test('an invitation is revoked once, by its own organization', async () => {
  const [{ owner }, other] = [await organization(parts), await organization(parts)]
  const { id } = await inviteMember(parts, owner, { email: 'a@acme.example', role: 'viewer' })
  const missing = { code: 'NOT_FOUND' }
  await expect(revokeMemberInvitation(parts, other.owner, id)).rejects.toMatchObject(missing)
  await revokeMemberInvitation(parts, owner, id)
  await expect(revokeMemberInvitation(parts, owner, id)).rejects.toMatchObject(missing)
  expect(await listMemberInvitations(parts, owner.organizationId)).toEqual({ items: [], total: 0 })
})

test('only an owner revokes the invitation of an owner', async () => {
  const { owner } = await organization(parts)
  const { credential } = await newMember(parts, owner, 'admin')
  const { id } = await inviteMember(parts, owner, { email: 'b@acme.example', role: 'owner' })
  await expect(revokeMemberInvitation(parts, credential, id)).rejects.toMatchObject({ code: 'FORBIDDEN' })
  expect((await listMemberInvitations(parts, owner.organizationId)).items).toMatchObject([{ id }])
  await revokeMemberInvitation(parts, owner, id)
})
