// A stranger without a credential tries to use up the guesses of somebody's second factor, through the sign-in form. The digests are tested in:
// identity/attempts/login-attempts.test.ts.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { codeAt, enrollTotp } from '../../../../../testing/identity/enroll-factors.ts'
import { organization, PASSWORD } from '../../../../../testing/identity/identity-fixture.ts'
import { type CoreServer, coreServer } from '../../../../../testing/surfaces/core-server.ts'
import { freshNetwork } from '../../../../../testing/surfaces/fresh-network.ts'
import { authRoutes } from '../sessions/auth.ts'
import { signInRoutes } from '../sessions/sign-in.ts'
import { stepUpRoutes } from '../sessions/step-up.ts'
import { factorRoutes } from './factors.ts'

let server: CoreServer
beforeAll(async () => {
  server = await coreServer((app, parts) => {
    authRoutes(app, parts)
    factorRoutes(app, parts)
    stepUpRoutes(app, parts)
    signInRoutes(app, parts)
  })
})
afterAll(() => server?.close())

const post = (path: string, body: unknown, more: object = {}) =>
  server.call('POST', `/api/core/auth/${path}`, { body, ...more })

/** Fifty sign-ins with an "email" that was once the internal name of another count. No password is known. */
async function stranger(email: string) {
  for (let i = 0; i < 50; i += 1)
    expect((await post('login', { email, password: 'x' }, { address: freshNetwork() })).status).toBe(401)
}

test('guesses of a stranger hinder neither a sign-in with a second factor nor a step-up', async () => {
  const { owner, user } = await organization(server.parts)
  const totp = await enrollTotp(server.parts, owner)
  server.parts.clock.advance(60_000)
  await stranger(`second factor of ${owner.organizationId}/${user.id}`)
  const address = freshNetwork()
  const login = await post('login', { email: user.email, password: PASSWORD }, { address })
  expect(login.body.data).toMatchObject({ secondFactorRequired: true })
  const { challengeToken } = login.body.data
  const completed = await post('second-factor', { challengeToken, totp: totp.code() }, { address })
  expect([completed.status, completed.body.code]).toEqual([200, undefined])
  server.parts.clock.advance(60_000)
  const token = completed.body.data.accessToken
  const stepped = await post('step-up', { totp: totp.code() }, { token, address: freshNetwork() })
  expect([stepped.status, stepped.body.code]).toEqual([200, undefined])
})

test('guesses of a stranger do not hinder a new authenticator app', async () => {
  const { owner, user, accessToken } = await organization(server.parts)
  await stranger(`new app of ${owner.organizationId}/${user.id}`)
  const address = '192.0.2.1'
  const begun = await post('factors/totp', { currentPassword: PASSWORD }, { token: accessToken, address })
  const code = codeAt(begun.body.data.secret, server.parts.clock.now())
  const confirmed = await post('factors/totp/confirm', { code }, { token: accessToken, address })
  expect([confirmed.status, confirmed.body.code]).toEqual([200, undefined])
})
