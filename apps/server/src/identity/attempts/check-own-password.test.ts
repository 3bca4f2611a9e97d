// Also tested in: identity/sessions/change-password.test.ts, identity/addresses/change-email.test.ts,
// identity/factors/require-own-password.test.ts.
import { expect, test } from 'vitest'
import { identityFixture, organization, PASSWORD } from '../../../testing/identity/identity-fixture.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { inTransaction } from '../../database/index.ts'
import { findAccount } from '../sessions/find-account.ts'
import { checkOwnPassword } from './check-own-password.ts'
import { clearAttempt } from './login-attempts.ts'

const parts = useFixture(identityFixture)

async function account() {
  const { owner, user } = await organization(parts)
  const { passwordHash } = (await findAccount(parts.db, owner))!
  return (currentPassword: string) =>
    checkOwnPassword(parts, { email: user.email, passwordHash, currentPassword, address: '192.0.2.1' })
}

test('an attempt counts until its change clears it', async () => {
  const check = await account()
  for (let i = 0; i < 20; i += 1) {
    const attempt = await check(PASSWORD)
    await inTransaction(parts.db, (tx) => clearAttempt(tx, attempt))
  }
  for (let i = 0; i < 10; i += 1) await check(PASSWORD)
  await expect(check(PASSWORD)).rejects.toMatchObject({ code: 'RATE_LIMIT_EXCEEDED' })
})

test('a wrong password is refused at its field and named in the security log', async () => {
  const check = await account()
  await expect(check('not the password')).rejects.toMatchObject({
    code: 'VALIDATION_ERROR',
    details: { issues: [{ path: 'currentPassword', message: 'is not the current password' }] },
    refusal: { reason: 'wrong_password' },
  })
})
