import { expect, test } from 'vitest'
import { enrollTotp } from '../../../testing/identity/enroll-factors.ts'
import { organization, PASSWORD } from '../../../testing/identity/identity-fixture.ts'
import { mailFixture } from '../../../testing/identity/mail-fixture.ts'
import { newMember } from '../../../testing/identity/new-member.ts'
import { failingTransact } from '../../../testing/index.ts'
import { freshNetwork } from '../../../testing/surfaces/fresh-network.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { inTransaction } from '../../database/index.ts'
import { listMembers } from '../members/list-members.ts'
import { removeMember } from '../members/remove-member.ts'
import { requireApprover } from '../members/require-approver.ts'
import { updateMember } from '../members/update-member.ts'
import { authenticateBearer } from '../sessions/authenticate-bearer.ts'
import { logIn } from '../sessions/log-in.ts'
import { confirmPasswordReset, type PasswordReset } from './confirm-password-reset.ts'
import { requestPasswordReset } from './request-password-reset.ts'

const parts = useFixture(() => mailFixture('off'))

const FRESH = 'a password nobody guessed'
const confirm = (token: string, newPassword = FRESH, address = freshNetwork()) =>
  confirmPasswordReset(parts, { token, newPassword, address })
const login = (email: string, password: string) => logIn(parts, { email, password, address: '192.0.2.1' })
const invalid = { code: 'FORBIDDEN', details: { reason: 'invalid_token' } }
async function tokenFor(email: string): Promise<string> {
  await requestPasswordReset(parts, email)
  return parts.tokenFor(email)
}

test('a reset sets the password, ends all sessions, proves the address and notifies it', async () => {
  const { user, organization: home, accessToken, owner } = await organization(parts)
  const result = await confirm(await tokenFor(user.email))
  expect(result).toEqual({ user, organization: home, ended: 1 })
  expect(await authenticateBearer(parts, accessToken)).toBeUndefined()
  await expect(login(user.email, PASSWORD)).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
  await login(user.email, FRESH)
  expect((await listMembers(parts, owner.organizationId)).items).toMatchObject([{ emailVerified: true }])
  expect(await parts.mails()).toMatchObject([{ to: user.email, content: { change: { what: 'reset_password' } } }])
})

test('a reset keeps the second factors: the new password alone opens no session', async () => {
  const { user, owner } = await organization(parts)
  await enrollTotp(parts, owner)
  expect(await confirm(await tokenFor(user.email))).not.toHaveProperty('accessToken')
  const result = await login(user.email, FRESH)
  expect(result).toMatchObject({ secondFactorRequired: true, factors: expect.arrayContaining(['totp']) })
  expect(result).not.toHaveProperty('accessToken')
})

test('after a reset the user approves nothing for a day', async () => {
  const { user, owner } = await organization(parts)
  await confirm(await tokenFor(user.email))
  const approve = () => inTransaction(parts.db, (tx) => requireApprover(tx, parts.clock.now(), owner))
  await expect(approve()).rejects.toMatchObject({ code: 'FORBIDDEN', message: /24 hours/ })
  parts.clock.advance(86_400_000)
  await approve()
})

test('a reset lifts the restriction of a password that somebody else set, and the lock after wrong guesses', async () => {
  const { owner } = await organization(parts)
  const { id, email } = await newMember(parts, owner, 'viewer')
  const changes = { password: 'another horse entirely' }
  await updateMember({ ...parts, assignedPasswords: 'one-time' }, { actor: owner, memberId: id, changes })
  for (let i = 0; i < 10; i += 1) await expect(login(email, 'wrong')).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
  await confirm(await tokenFor(email), FRESH, '192.0.2.1')
  expect(await login(email, FRESH)).not.toHaveProperty('passwordChangeRequired')
})

test('a token works once, and using one ends the others of the account', async () => {
  const { user } = await organization(parts)
  const [first, second] = [await tokenFor(user.email), await tokenFor(user.email)]
  await confirm(second)
  for (const token of [first, second]) await expect(confirm(token, PASSWORD)).rejects.toMatchObject(invalid)
  await login(user.email, FRESH)
})

test('one of two concurrent uses of one token succeeds', async () => {
  const { user } = await organization(parts)
  const token = await tokenFor(user.email)
  const outcomes = await Promise.allSettled([confirm(token, `${FRESH} 1`), confirm(token, `${FRESH} 2`)])
  const winner = outcomes.findIndex(({ status }) => status === 'fulfilled')
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  await login(user.email, `${FRESH} ${winner + 1}`)
})

test('a token is useless after an hour or once its member is removed', async () => {
  const { user, owner } = await organization(parts)
  const late = await tokenFor(user.email)
  parts.clock.advance(3_600_000)
  await expect(confirm(late)).rejects.toMatchObject(invalid)
  const { id, email } = await newMember(parts, owner, 'viewer')
  const token = await tokenFor(email)
  await removeMember(parts, owner, id)
  await expect(confirm(token)).rejects.toMatchObject(invalid)
})

test('a token sets no password once its address is the login of another account', async () => {
  const { user } = await organization(parts)
  const { user: other } = await organization(parts)
  const token = await tokenFor(user.email)
  const rename = (id: number, email: string) =>
    parts.db.updateTable('users').set({ email }).where('id', '=', id).execute()
  await rename(user.id, `moved-${user.email}`)
  await rename(other.id, user.email)
  await expect(confirm(token)).rejects.toMatchObject(invalid)
  for (const email of [user.email, `moved-${user.email}`]) await login(email, PASSWORD)
})

test('ten wrong tokens close a network for the rest of fifteen minutes, with valid tokens too', async () => {
  const { user } = await organization(parts)
  const token = await tokenFor(user.email)
  const from = (text: string) => confirm(text, FRESH, '203.0.113.9')
  for (let i = 0; i < 10; i += 1) await expect(from(`reset_${i}`)).rejects.toMatchObject(invalid)
  await expect(from(token)).rejects.toMatchObject({ code: 'RATE_LIMIT_EXCEEDED', details: { retryAfterSeconds: 900 } })
  parts.clock.advance(15 * 60_000)
  await from(token)
})

test('a short password, and a response that could not be recorded, leave the token valid', async () => {
  const { user } = await organization(parts)
  const token = await tokenFor(user.email)
  await expect(confirm(token, 'short')).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
  const transact = failingTransact<PasswordReset>(parts.db, 'not recorded')
  const input = { token, newPassword: FRESH, address: '198.51.100.200' }
  await expect(confirmPasswordReset(parts, input, transact)).rejects.toThrow('not recorded')
  await login(user.email, PASSWORD)
  await confirm(token)
})
