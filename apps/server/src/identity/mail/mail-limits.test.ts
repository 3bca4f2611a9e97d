// The guarantee of queue-mail.ts that nobody uses up the emails of somebody else's address.

import { expect, test } from 'vitest'
import { organization } from '../../../testing/identity/identity-fixture.ts'
import { mailFixture } from '../../../testing/identity/mail-fixture.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { inTransaction } from '../../database/index.ts'
import { requestPasswordReset } from '../addresses/request-password-reset.ts'
import { inviteMember } from '../invitations/invite-member.ts'
import { requestRegistration } from '../organizations/request-registration.ts'
import { queueMail } from './queue-mail.ts'

const parts = useFixture(mailFixture)
const HOUR = 3_600_000
const DAY = 24 * HOUR
const to = async (address: string) => (await parts.mails()).filter((mail) => mail.to === address)

test('an owner gets a reset link, although a stranger requested twenty for the address earlier today', async () => {
  const { user } = await organization(parts)
  for (let i = 0; i < 20; i += 1) {
    await requestPasswordReset(parts, user.email)
    await parts.mails()
    if (i % 5 === 4) parts.clock.advance(HOUR)
  }
  // The links that the stranger caused have expired.
  parts.clock.advance(2 * HOUR)
  await requestPasswordReset(parts, user.email)
  expect(await to(user.email)).toHaveLength(1)
})

test('resets that a stranger requests without end leave the address with a link, and at most 40 emails in a day', async () => {
  const { user } = await organization(parts)
  // Registration sent a link of another kind.
  await parts.mails()
  let sent = 0
  for (let minutes = 0; minutes < 24 * 60; minutes += 15) {
    for (let i = 0; i < 2; i += 1) await requestPasswordReset(parts, user.email)
    sent += (await to(user.email)).length
    const now = parts.clock.now()
    const valid = await parts.db
      .selectFrom('account_tokens')
      .select('email')
      .where('email', '=', user.email)
      .where('expires_at', '>', now)
      .execute()
    expect(valid).not.toEqual([])
    parts.clock.advance(15 * 60_000)
  }
  expect(sent).toBeGreaterThan(20)
  expect(sent).toBeLessThanOrEqual(40)
})

test('a person registers, although a stranger registered with their address five times within the hour', async () => {
  const email = 'alice@customer.example'
  const register = (organizationName: string, network: string) =>
    requestRegistration(parts, { email, organizationName, password: `a password of ${network}`, network })
  for (let i = 0; i < 6; i += 1) await register('of the stranger', '192.0.2.66')
  expect(await to(email)).toHaveLength(5)
  await register('Alice & Co', '192.0.2.7')
  expect(await to(email)).toMatchObject([{ content: { organizationName: 'Alice & Co' } }])
})

test('one organization invites a person, although another one invited the same address five times', async () => {
  const [mine, stranger] = [await organization(parts), await organization(parts)]
  await parts.db.updateTable('users').set({ email_verified_at: parts.clock.now() }).execute()
  const email = 'bob@customer.example'
  const invite = ({ owner }: typeof mine) => inviteMember(parts, owner, { email, role: 'viewer' })
  for (let i = 0; i < 5; i += 1) await invite(stranger)
  await expect(invite(stranger)).rejects.toMatchObject({ code: 'RATE_LIMIT_EXCEEDED' })
  await expect(invite(mine)).resolves.toMatchObject({ email })
})

test('an address gets at most twenty registrations in an hour and sixty in a day, from however many networks', async () => {
  const content = { kind: 'registration_of_member', organizationName: 'Acme' } as const
  const send = (network: string) =>
    inTransaction(parts.db, (tx) =>
      queueMail(tx, parts, { to: 'flooded@acme.example', content, lifetimeMs: HOUR, organizationId: null, network }),
    )
  let sent = 0
  for (let hour = 0; hour < 4; hour += 1) {
    for (let i = 0; i < 22; i += 1) sent += Number(await send(`192.0.2.${hour * 22 + i}`))
    expect(sent).toBe(Math.min(60, (hour + 1) * 20))
    parts.clock.advance(HOUR)
  }
  parts.clock.advance(DAY)
  expect(await send('192.0.2.1')).toBe(true)
})
