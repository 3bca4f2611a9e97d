// Also tested elsewhere: when they end (changes/policy/ended-invitations.test.ts).
import { afterAll, beforeAll, expect, test } from 'vitest'
import { organization, PASSWORD } from '../../../testing/identity/identity-fixture.ts'
import { type MailFixture, mailFixture } from '../../../testing/identity/mail-fixture.ts'
import { freshNetwork } from '../../../testing/surfaces/fresh-network.ts'
import { inTransaction } from '../../database/index.ts'
import type { UserCredential } from '../shared/credential.ts'
import { acceptMemberInvitation } from './accept-member-invitation.ts'
import { endOpenInvitations } from './end-open-invitations.ts'
import { inviteMember } from './invite-member.ts'

let parts: MailFixture
beforeAll(async () => {
  parts = await mailFixture('off')
})
afterAll(() => parts?.close())

const invite = (actor: UserCredential, email: string) => inviteMember(parts, actor, { email, role: 'viewer' })
const states = async (owner: UserCredential) => {
  const rows = await parts.db
    .selectFrom('member_invitations')
    .select(['email', 'revoked_at'])
    .where('organization_id', '=', owner.organizationId)
    .orderBy('id')
    .execute()
  return rows.map(({ email, revoked_at }) => [email, revoked_at])
}

test('only open invitations of the organization end, and each has an entry in the audit log', async () => {
  const [{ owner }, { owner: stranger }] = [await organization(parts), await organization(parts)]
  await invite(owner, 'expired@acme.example')
  parts.clock.advance(8 * 86_400_000)
  await invite(owner, 'joined@acme.example')
  const token = await parts.tokenFor('joined@acme.example')
  await acceptMemberInvitation(parts, { token, password: PASSWORD, takeAddress: false, address: freshNetwork() })
  const open = await invite(owner, 'open@acme.example')
  await invite(stranger, 'open@other.example')
  const at = parts.clock.now()
  await inTransaction(parts.db, (tx) => endOpenInvitations(tx, at, owner.organizationId))
  expect(await states(owner)).toEqual([
    ['expired@acme.example', null],
    ['joined@acme.example', null],
    ['open@acme.example', at],
  ])
  expect(await states(stranger)).toEqual([['open@other.example', null]])
  const entries = await parts.db
    .selectFrom('audit_log')
    .select(['organization_id', 'actor_type', 'object_id'])
    .where('action', '=', 'endMemberInvitation')
    .execute()
  expect(entries).toEqual([{ organization_id: owner.organizationId, actor_type: 'system', object_id: open.id }])
})
