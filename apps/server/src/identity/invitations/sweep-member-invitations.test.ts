import { afterAll, beforeAll, expect, test } from 'vitest'
import { organization } from '../../../testing/identity-fixture.ts'
import { type MailFixture, mailFixture } from '../../../testing/mail-fixture.ts'
import { inviteMember } from './invite-member.ts'
import { sweepMemberInvitations } from './sweep-member-invitations.ts'

let parts: MailFixture
beforeAll(async () => {
  parts = await mailFixture('off')
})
afterAll(() => parts?.close())

test('an invitation is removed a month after it expired', async () => {
  const { owner } = await organization(parts)
  await inviteMember(parts, owner, { email: 'a@acme.example', role: 'viewer' })
  const left = async () => (await parts.db.selectFrom('member_invitations').select('id').execute()).length
  parts.clock.advance(37 * 86_400_000 - 1)
  await sweepMemberInvitations(parts)
  expect(await left()).toBe(1)
  parts.clock.advance(1)
  await sweepMemberInvitations(parts)
  expect(await left()).toBe(0)
})
