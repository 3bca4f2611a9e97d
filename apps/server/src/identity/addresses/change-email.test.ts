// Also tested in: identity/addresses/confirm-verification.test.ts (the address changes with the confirmation).
import { expect, test } from 'vitest'
import { organization, PASSWORD } from '../../../testing/identity/identity-fixture.ts'
import { mailFixture } from '../../../testing/identity/mail-fixture.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { endMemberSessions } from '../members/end-member-sessions.ts'
import type { UserCredential } from '../shared/credential.ts'
import { changeEmail } from './change-email.ts'

const parts = useFixture(() => mailFixture('off'))

const change = (actor: UserCredential, email: string, currentPassword = PASSWORD) =>
  changeEmail(parts, actor, { email, currentPassword, address: '192.0.2.1' })

test('a free address and one with an account get the same email', async () => {
  const [{ owner }, other] = [await organization(parts), await organization(parts)]
  await change(owner, 'free@acme.example')
  await change(owner, other.user.email)
  expect((await parts.mails()).map(({ to, content }) => [to, content.kind])).toEqual([
    ['free@acme.example', 'email_verification'],
    [other.user.email, 'email_verification'],
  ])
})

test('a wrong password, a malformed address and an ended session send nothing', async () => {
  const { owner } = await organization(parts)
  await expect(change(owner, 'new@acme.example', 'wrong')).rejects.toMatchObject({
    code: 'VALIDATION_ERROR',
    details: { issues: [{ path: 'currentPassword' }] },
  })
  await expect(change(owner, 'a@b\r\nBcc: c@d.example')).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
  await endMemberSessions(parts, { ...owner, sessionId: 0 }, owner.userId)
  await expect(change(owner, 'new@acme.example')).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
  expect(await parts.mails()).toEqual([])
})

test('an address gets five emails in an hour', async () => {
  const { owner } = await organization(parts)
  for (let i = 0; i < 5; i += 1) await change(owner, 'victim@acme.example')
  await expect(change(owner, 'victim@acme.example')).rejects.toMatchObject({ code: 'RATE_LIMIT_EXCEEDED' })
})
