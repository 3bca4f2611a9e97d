// Strangers guess at an account that its owner has lost, from ever new networks.
import { expect, test } from 'vitest'
import { organization } from '../../../testing/identity/identity-fixture.ts'
import { mailFixture } from '../../../testing/identity/mail-fixture.ts'
import { freshNetwork } from '../../../testing/surfaces/fresh-network.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { LOGIN_ACCOUNT_FAILURES_MAX, LOGIN_FAILURES_MAX, RECOVERY_PASSWORD_LIFETIME_MS } from '../../kernel/index.ts'
import { confirmPasswordReset } from '../addresses/confirm-password-reset.ts'
import { requestPasswordReset } from '../addresses/request-password-reset.ts'
import { recoverOwner } from '../members/recover-owner.ts'
import { authenticateBearer } from '../sessions/authenticate-bearer.ts'
import { changePassword } from '../sessions/change-password.ts'
import { logIn } from '../sessions/log-in.ts'

const parts = useFixture(() => mailFixture('off'))
const FRESH = 'a password nobody guessed'

const guess = (email: string, address = freshNetwork()) =>
  logIn(parts, { email, password: 'guess guess guess', address }).then(
    () => 'ok',
    ({ code }: { code: string }) => code,
  )
async function guessUntilPaused(email: string) {
  for (let i = 0; i < LOGIN_ACCOUNT_FAILURES_MAX; i += 1) expect(await guess(email)).toBe('UNAUTHORIZED')
  expect(await guess(email)).toBe('RATE_LIMIT_EXCEEDED')
}

test('after a reset, the account opens at the network of the reset despite guesses elsewhere, which stay paused', async () => {
  const { user } = await organization(parts)
  await guessUntilPaused(user.email)
  const address = freshNetwork()
  await requestPasswordReset(parts, user.email)
  await confirmPasswordReset(parts, { token: await parts.tokenFor(user.email), newPassword: FRESH, address })
  expect(await guess(user.email)).toBe('RATE_LIMIT_EXCEEDED')
  await expect(logIn(parts, { email: user.email, password: FRESH, address })).resolves.toMatchObject({ user })
  for (let i = 0; i < LOGIN_FAILURES_MAX; i += 1) expect(await guess(user.email, address)).toBe('UNAUTHORIZED')
  expect(await guess(user.email, address)).toBe('RATE_LIMIT_EXCEEDED')
})

test('the password of a recovery works from anywhere despite guesses, of which each network has ten', async () => {
  const { user } = await organization(parts)
  await guessUntilPaused(user.email)
  const { password } = await recoverOwner(parts, user.email)
  for (let i = 0; i <= LOGIN_ACCOUNT_FAILURES_MAX; i += 1) expect(await guess(user.email)).toBe('UNAUTHORIZED')
  const stranger = freshNetwork()
  for (let i = 0; i < LOGIN_FAILURES_MAX; i += 1) expect(await guess(user.email, stranger)).toBe('UNAUTHORIZED')
  expect(await guess(user.email, stranger)).toBe('RATE_LIMIT_EXCEEDED')
  const login = logIn(parts, { email: user.email, password, address: freshNetwork() })
  await expect(login).resolves.toMatchObject({ user })
})

test('guesses are paused as before once a recovered owner has set a password, who signs in where they did', async () => {
  const { user } = await organization(parts)
  await guessUntilPaused(user.email)
  const { password } = await recoverOwner(parts, user.email)
  const address = freshNetwork()
  // A right password forgets the guess of its moment, which is its own: others came at another one.
  parts.clock.advance(1)
  const opened = await logIn(parts, { email: user.email, password, address })
  if ('challengeToken' in opened) throw new Error('a second factor is left')
  const actor = await authenticateBearer(parts, opened.accessToken)
  await changePassword(parts, actor!, { currentPassword: password, newPassword: FRESH, address })
  expect(await guess(user.email)).toBe('RATE_LIMIT_EXCEEDED')
  await expect(logIn(parts, { email: user.email, password: FRESH, address })).resolves.toMatchObject({ user })
})

test('guesses are paused as before once the password of a recovery has expired', async () => {
  const { user } = await organization(parts)
  await guessUntilPaused(user.email)
  await recoverOwner(parts, user.email)
  parts.clock.advance(RECOVERY_PASSWORD_LIFETIME_MS)
  expect(await guess(user.email)).toBe('UNAUTHORIZED')
  expect(await guess(user.email)).toBe('RATE_LIMIT_EXCEEDED')
})
