// Also tested in: identity/addresses/confirm-password-reset.test.ts (of concurrent uses one succeeds).
import { afterAll, beforeAll, expect, test } from 'vitest'
import { organization } from '../../../testing/identity/identity-fixture.ts'
import { type MailFixture, mailFixture } from '../../../testing/identity/mail-fixture.ts'
import { deleteOldRows, inTransaction } from '../../database/index.ts'
import { consumeToken, issueToken, revokeTokens, type TokenGrant, tokenRetention } from './account-token.ts'

let parts: MailFixture
let user: { organizationId: number; id: number }
beforeAll(async () => {
  parts = await mailFixture('off')
  const { owner } = await organization(parts)
  user = { organizationId: owner.organizationId, id: owner.userId }
})
afterAll(() => parts?.close())

const email = 'ada@acme.example'
const issue = (purpose: TokenGrant['purpose'] = 'password_reset') =>
  inTransaction(parts.db, (tx) => issueToken(tx, parts, { purpose, email, user }))
const consume = (token: string, purpose: TokenGrant['purpose'] = 'password_reset') =>
  inTransaction(parts.db, (tx) => consumeToken(tx, parts.clock.now(), { purpose, token }))
const invalid = { code: 'FORBIDDEN', details: { reason: 'invalid_token' } }

test('a token is stored as a hash and works once, for its purpose and in its time', async () => {
  const token = await issue()
  expect(token).toMatch(/^reset_[0-9A-Za-z]{36}$/)
  const stored = JSON.stringify(await parts.db.selectFrom('account_tokens').selectAll().execute())
  expect(stored).not.toContain(token)
  await expect(consume(token, 'email_verification')).rejects.toMatchObject(invalid)
  await expect(consume(`${token}x`)).rejects.toMatchObject(invalid)
  expect(await consume(token)).toMatchObject({ email, organizationId: user.organizationId, userId: user.id })
  await expect(consume(token)).rejects.toMatchObject(invalid)
})

test('a reset token lasts an hour, a verification token a day', async () => {
  const [reset, verify] = [await issue(), await issue('email_verification')]
  parts.clock.advance(3_600_000)
  await expect(consume(reset)).rejects.toMatchObject(invalid)
  await consume(verify, 'email_verification')
  const late = await issue('email_verification')
  parts.clock.advance(86_400_000)
  await expect(consume(late, 'email_verification')).rejects.toMatchObject(invalid)
})

test('revoking ends every open token of the user, and sweeping removes old ones', async () => {
  const tokens = [await issue(), await issue()]
  await inTransaction(parts.db, (tx) => revokeTokens(tx, user))
  for (const token of tokens) await expect(consume(token)).rejects.toMatchObject(invalid)
  parts.clock.advance(2 * 86_400_000)
  await deleteOldRows(parts, [tokenRetention(parts)])
  expect(await parts.db.selectFrom('account_tokens').selectAll().execute()).toEqual([])
})
