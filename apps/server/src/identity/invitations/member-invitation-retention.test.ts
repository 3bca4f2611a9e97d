import { expect, test } from 'vitest'
import { organization } from '../../../testing/identity/identity-fixture.ts'
import { mailFixture } from '../../../testing/identity/mail-fixture.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { deleteOldRows } from '../../database/index.ts'
import { inviteMember } from './invite-member.ts'
import { memberInvitationRetention } from './member-invitation-retention.ts'

const parts = useFixture(() => mailFixture('off'))

test('an invitation is removed a month after it expired', async () => {
  const { owner } = await organization(parts)
  await inviteMember(parts, owner, { email: 'a@acme.example', role: 'viewer' })
  const left = async () => (await parts.db.selectFrom('member_invitations').select('id').execute()).length
  parts.clock.advance(37 * 86_400_000 - 1)
  await deleteOldRows(parts, [memberInvitationRetention(parts)])
  expect(await left()).toBe(1)
  parts.clock.advance(1)
  await deleteOldRows(parts, [memberInvitationRetention(parts)])
  expect(await left()).toBe(0)
})
