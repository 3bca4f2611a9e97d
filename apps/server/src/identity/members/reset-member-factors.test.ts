import { expect, test } from 'vitest'
import { enrollTotp } from '../../../testing/identity/enroll-factors.ts'
import { expectChanges } from '../../../testing/identity/expect-factors.ts'
import { organization } from '../../../testing/identity/identity-fixture.ts'
import { mailFixture } from '../../../testing/identity/mail-fixture.ts'
import { newMember } from '../../../testing/identity/new-member.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { inTransaction } from '../../database/index.ts'
import { listFactors } from '../factors/list-factors.ts'
import { authenticateBearer } from '../sessions/authenticate-bearer.ts'
import { requireApprover } from './require-approver.ts'
import { resetMemberFactors } from './reset-member-factors.ts'

const parts = useFixture(mailFixture)

test('a member who lost their phone starts again, without approving for a day', async () => {
  const { owner } = await organization(parts)
  const member = await newMember(parts, owner, 'admin')
  await enrollTotp(parts, member.credential)
  expect(await resetMemberFactors(parts, owner, member.id)).toBe(1)
  expect(await listFactors(parts, member.credential)).toEqual({ totpSince: null, passkeys: [], recoveryCodesLeft: 0 })
  expect(await authenticateBearer(parts, member.accessToken)).toBeUndefined()
  const approve = () => inTransaction(parts.db, (tx) => requireApprover(tx, parts.clock.now(), member.credential))
  await expect(approve()).rejects.toMatchObject({ code: 'FORBIDDEN' })
  parts.clock.advance(86_400_000)
  await approve()
})

test('an admin resets neither an owner nor another admin, and nobody themselves', async () => {
  const { owner } = await organization(parts)
  const { owner: stranger } = await organization(parts)
  const admin = await newMember(parts, owner, 'admin')
  const other = await newMember(parts, owner, 'admin')
  for (const user of [owner, other.credential, admin.credential]) await enrollTotp(parts, user)
  await expectChanges(parts, false, async () => {
    const attempts = [
      [admin.credential, owner.userId, 'FORBIDDEN'],
      [admin.credential, other.id, 'FORBIDDEN'],
      [admin.credential, admin.id, 'FORBIDDEN'],
      [owner, owner.userId, 'FORBIDDEN'],
      [stranger, admin.id, 'NOT_FOUND'],
    ] as const
    for (const [actor, memberId, code] of attempts)
      await expect(resetMemberFactors(parts, actor, memberId)).rejects.toMatchObject({ code })
  })
})

test('an email tells a member that somebody else removed their factors', async () => {
  const { owner } = await organization(parts)
  const member = await newMember(parts, owner, 'approver')
  await enrollTotp(parts, member.credential)
  await parts.mails()
  await resetMemberFactors(parts, owner, member.id)
  const notice = { kind: 'notice', change: { what: 'factors_removed' } }
  expect(await parts.mails()).toMatchObject([{ to: member.email, content: notice }])
})
