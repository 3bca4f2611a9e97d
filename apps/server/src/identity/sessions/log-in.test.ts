// Also tested in: identity/attempts/login-attempts.test.ts (repeated failures lock an account for an address).

import { expect, test } from 'vitest'
import { credentialOf, identityFixture, organization, PASSWORD } from '../../../testing/identity/identity-fixture.ts'
import { countStatements, failingTransact } from '../../../testing/index.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { type Transact, transactOn } from '../../database/index.ts'
import type { Failure } from '../../kernel/index.ts'
import { authenticateBearer } from './authenticate-bearer.ts'
import { changePassword } from './change-password.ts'
import { listSessions } from './list-sessions.ts'
import { type LoginResult, logIn } from './log-in.ts'
import { logOut } from './log-out.ts'

const parts = useFixture(identityFixture)

const address = '192.0.2.1'
const unauthorized = { code: 'UNAUTHORIZED' }

test('a log-in opens a session in addition to the others', async () => {
  const { user, accessToken, organization: home } = await organization(parts)
  const second = await logIn(parts, { email: user.email.toUpperCase(), password: PASSWORD, address })
  if ('secondFactorRequired' in second) throw new Error('the user has no second factor')
  expect(second).toMatchObject({ user, organization: home, expiresIn: 3_600 })
  await logOut(parts, await credentialOf(parts, second.accessToken))
  expect(await authenticateBearer(parts, accessToken)).toBeDefined()
})

const presented = (failure: unknown) => {
  const { code, message, details } = failure as Failure
  return { code, message, details }
}

test('a log-in responds the same to an unknown email and a wrong password, with as many statements', async () => {
  const { user } = await organization(parts)
  const attempt = (email: string) =>
    countStatements(() =>
      logIn(parts, { email, password: 'not the password', address }).catch((error: unknown) => error),
    )
  const wrong = await attempt(user.email)
  const unknown = await attempt('nobody@acme.example')
  const strange = await attempt('no email at all')
  expect(wrong.result).toMatchObject({ code: 'UNAUTHORIZED', message: 'Wrong email or password.' })
  // Security events know the difference, callers do not.
  for (const { result } of [unknown, strange]) expect(presented(result)).toEqual(presented(wrong.result))
  expect(unknown.texts).toEqual(wrong.texts)
  await expect(logIn(parts, { email: 'nul\u0000@x.example', password: 'x', address })).rejects.toMatchObject(
    unauthorized,
  )
})

test('a log-in that fails to commit opens no session', async () => {
  const { user } = await organization(parts)
  const sessions = async () =>
    (await parts.db.selectFrom('sessions').select('id').where('user_id', '=', user.id).execute()).length
  const before = await sessions()
  const transact = failingTransact<LoginResult>(parts.db, 'the response was not recorded')
  await expect(logIn(parts, { email: user.email, password: PASSWORD, address }, transact)).rejects.toThrow(
    'not recorded',
  )
  expect(await sessions()).toBe(before)
})

test('a log-in that overlaps a change of the password opens no session with the old one', async () => {
  const { user, owner } = await organization(parts)
  const changed: Transact<LoginResult> = async (work) => {
    const passwords = { currentPassword: PASSWORD, newPassword: 'another horse entirely' }
    await changePassword(parts, owner, { ...passwords, address })
    return await transactOn(parts.db)(work)
  }
  const login = logIn(parts, { email: user.email, password: PASSWORD, address }, changed)
  await expect(login).rejects.toMatchObject({ code: 'UNAUTHORIZED', message: 'Wrong email or password.' })
  expect((await listSessions(parts, owner)).total).toBe(1)
})
