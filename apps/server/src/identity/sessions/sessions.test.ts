import fc from 'fast-check'
import { SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  credentialOf,
  type IdentityFixture,
  identityFixture,
  organization,
  PASSWORD,
} from '../../../testing/identity-fixture.ts'
import { countStatements, failingTransact } from '../../../testing/index.ts'
import { REFRESH_TOKEN_SECONDS } from '../../kernel/index.ts'
import { updateMember } from '../members/update-member.ts'
import { register } from '../organizations/register.ts'
import { authenticateBearer } from './authenticate-bearer.ts'
import { getAccount } from './get-account.ts'
import { logIn } from './log-in.ts'
import { logOut } from './log-out.ts'
import { refreshSession } from './refresh-session.ts'

let parts: IdentityFixture
beforeAll(async () => {
  parts = await identityFixture()
})
afterAll(() => parts.close())

const address = '192.0.2.1'
const unauthorized = { code: 'UNAUTHORIZED' }

describe('registration', () => {
  test('creates an organization with an owner and a default profile, and logs the owner in', async () => {
    const signedIn = await register(parts, {
      email: ' Ada@Example.COM ',
      password: PASSWORD,
      name: 'Ada',
      organizationName: 'Analytical Engines',
    })
    expect(signedIn).toMatchObject({
      expiresIn: 3_600,
      user: { email: 'ada@example.com', name: 'Ada', role: 'owner' },
      organization: { name: 'Analytical Engines' },
    })
    expect(await getAccount(parts, await credentialOf(parts, signedIn.accessToken))).toEqual({
      user: signedIn.user,
      organization: signedIn.organization,
    })
    const profiles = await parts.db
      .selectFrom('wallet_profiles')
      .select(['name', 'is_default', 'enabled_chains', 'operation_timeout_seconds'])
      .where('organization_id', '=', signedIn.organization.id)
      .execute()
    expect(profiles).toEqual([
      {
        name: 'default',
        is_default: true,
        enabled_chains: ['solana', 'polygon', 'ethereum', 'base'],
        operation_timeout_seconds: 120,
      },
    ])
  })

  test('of one e-mail by many at once succeeds once, and the others leave nothing behind', async () => {
    const count = async () => (await parts.db.selectFrom('organizations').select('id').execute()).length
    const before = await count()
    const attempts = ['x@y.example', 'X@Y.example', 'x@Y.EXAMPLE', 'x@y.example'].map((email) =>
      register(parts, { email, password: PASSWORD, organizationName: 'Race' }),
    )
    const outcomes = await Promise.allSettled(attempts)
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'CONFLICT' })
    }
    expect(await count()).toBe(before + 1)
  })

  test.each([
    ['email', { email: 'nobody' }],
    ['email', { email: 'a b@example.com' }],
    ['email', { email: 'a@localhost' }],
    ['email', { email: 'a\u0000@example.com' }],
    ['email', { email: `${'a'.repeat(64)}@${'b'.repeat(190)}.example` }],
    ['password', { password: 'elevenchars' }],
    ['password', { password: 'x'.repeat(1_025) }],
    ['name', { name: '  ' }],
    ['name', { name: 'a\u0000b' }],
    ['organizationName', { organizationName: '' }],
    ['organizationName', { organizationName: 'x'.repeat(201) }],
  ])('refuses a malformed %s', async (path, wrong) => {
    const input = { email: 'new@example.com', password: PASSWORD, organizationName: 'New', ...wrong }
    await expect(register(parts, input)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { issues: [{ path }] },
    })
  })
})

describe('an access token', () => {
  test('is checked with one statement', async () => {
    const { accessToken, owner } = await organization(parts)
    const check = await countStatements(() => authenticateBearer(parts, accessToken))
    expect(check.result).toEqual({ ...owner, kind: 'user', role: 'owner', rateLimitOverrides: {} })
    expect(check.roundTrips).toBe(1)
  })

  test('is valid for one hour', async () => {
    const { accessToken } = await organization(parts)
    parts.clock.advance(3_599_000)
    expect(await authenticateBearer(parts, accessToken)).toBeDefined()
    parts.clock.advance(1_000)
    expect(await authenticateBearer(parts, accessToken)).toBeUndefined()
  })

  test('ends with a log-out, and so does its refresh token', async () => {
    const { accessToken, refreshToken, owner } = await organization(parts)
    await logOut(parts, owner)
    expect(await authenticateBearer(parts, accessToken)).toBeUndefined()
    await expect(refreshSession(parts, refreshToken)).rejects.toMatchObject(unauthorized)
    await expect(getAccount(parts, owner)).rejects.toMatchObject(unauthorized)
  })

  test('of another environment, secret, audience or algorithm is invalid', async () => {
    const { accessToken, owner } = await organization(parts)
    expect(await authenticateBearer({ ...parts, environment: 'live' }, accessToken)).toBeUndefined()
    const other = { ...parts, secrets: { ...parts.secrets, jwt: 'another secret, just as long as the first' } }
    expect(await authenticateBearer(other, accessToken)).toBeUndefined()
    const sign = (alg: string, audience: string, claims: object = {}) =>
      new SignJWT({ org: owner.organizationId, sid: owner.sessionId, ...claims })
        .setProtectedHeader({ alg })
        .setIssuer('weir')
        .setAudience(audience)
        .setSubject(String(owner.userId))
        .setExpirationTime(Math.floor(parts.clock.now().getTime() / 1_000) + 60)
        .sign(new TextEncoder().encode(parts.secrets.jwt))
    expect(await authenticateBearer(parts, await sign('HS256', 'weir:sandbox:core'))).toBeDefined()
    expect(await authenticateBearer(parts, await sign('HS512', 'weir:sandbox:core'))).toBeUndefined()
    expect(await authenticateBearer(parts, await sign('HS256', 'somebody'))).toBeUndefined()
    expect(await authenticateBearer(parts, await sign('HS256', 'weir:sandbox:core', { sid: '1' }))).toBeUndefined()
    const [, payload] = accessToken.split('.')
    const none = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${payload}.`
    expect(await authenticateBearer(parts, none)).toBeUndefined()
  })

  test('that was changed anywhere, or any other text, is invalid', async () => {
    const { accessToken } = await organization(parts)
    const changed = fc
      .tuple(fc.nat({ max: accessToken.length - 1 }), fc.constantFrom(...'.aZ0_- é\0'))
      .map(([at, character]) => accessToken.slice(0, at) + character + accessToken.slice(at + 1))
      // The last character carries bits that decode to nothing; a token that differs only there is the same token.
      .filter((text) => text.slice(0, -1) !== accessToken.slice(0, -1))
    const texts = fc.oneof(changed, fc.string({ unit: 'binary', maxLength: 3_000 }))
    await fc.assert(
      fc.asyncProperty(texts, async (text) => {
        expect(await authenticateBearer(parts, text)).toBeUndefined()
      }),
      { numRuns: 300 },
    )
  })
})

describe('a log-in', () => {
  test('opens a session in addition to the others', async () => {
    const { user, accessToken, organization: home } = await organization(parts)
    const second = await logIn(parts, { email: user.email.toUpperCase(), password: PASSWORD, address })
    expect(second).toMatchObject({ user, organization: home, expiresIn: 3_600 })
    await logOut(parts, await credentialOf(parts, second.accessToken))
    expect(await authenticateBearer(parts, accessToken)).toBeDefined()
  })

  test('responds alike to an unknown e-mail and a wrong password, with as many statements', async () => {
    const { user } = await organization(parts)
    const attempt = (email: string) =>
      countStatements(() =>
        logIn(parts, { email, password: 'not the password', address }).catch((error: unknown) => error),
      )
    const wrong = await attempt(user.email)
    const unknown = await attempt('nobody@acme.example')
    const strange = await attempt('no e-mail at all')
    expect(wrong.result).toMatchObject({ code: 'UNAUTHORIZED', message: 'Wrong e-mail or password.' })
    expect(unknown.result).toEqual(wrong.result)
    expect(strange.result).toEqual(wrong.result)
    expect(unknown.texts).toEqual(wrong.texts)
    await expect(logIn(parts, { email: 'nul\u0000@x.example', password: 'x', address })).rejects.toMatchObject(
      unauthorized,
    )
  })
})

describe('a refresh', () => {
  test('issues new tokens for a session, as often as it is repeated in sequence', async () => {
    let { refreshToken } = await organization(parts)
    const tokens = new Set([refreshToken])
    for (let i = 0; i < 5; i += 1) {
      parts.clock.advance(3_600_000)
      const next = await refreshSession(parts, refreshToken)
      expect(await authenticateBearer(parts, next.accessToken)).toBeDefined()
      refreshToken = next.refreshToken
      tokens.add(refreshToken)
    }
    expect(tokens.size).toBe(6)
  })

  test('also issues another access token, even within the same second', async () => {
    const { accessToken, refreshToken } = await organization(parts)
    const first = await refreshSession(parts, refreshToken)
    const second = await refreshSession(parts, first.refreshToken)
    expect(new Set([accessToken, first.accessToken, second.accessToken]).size).toBe(3)
  })

  test('shows a role that changed since', async () => {
    const { refreshToken, owner } = await organization(parts)
    await updateMember(parts, owner, owner.userId, { name: 'Renamed' })
    expect((await refreshSession(parts, refreshToken)).user).toMatchObject({ name: 'Renamed', role: 'owner' })
  })

  test('with a used token ends the whole session, for every holder of its tokens', async () => {
    const { refreshToken, user } = await organization(parts)
    const other = await logIn(parts, { email: user.email, password: PASSWORD, address })
    const second = await refreshSession(parts, refreshToken)
    const third = await refreshSession(parts, second.refreshToken)
    await expect(refreshSession(parts, refreshToken)).rejects.toMatchObject(unauthorized)
    await expect(refreshSession(parts, third.refreshToken)).rejects.toMatchObject(unauthorized)
    expect(await authenticateBearer(parts, third.accessToken)).toBeUndefined()
    expect(await authenticateBearer(parts, other.accessToken)).toBeDefined()
  })

  test('of one token several times at once is a reuse: at most one gets tokens, and they are invalid', async () => {
    const { refreshToken, accessToken } = await organization(parts)
    const outcomes = await Promise.allSettled(Array.from({ length: 5 }, () => refreshSession(parts, refreshToken)))
    const granted = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
    expect(granted).toHaveLength(1)
    expect(await authenticateBearer(parts, granted[0]!.accessToken)).toBeUndefined()
    await expect(refreshSession(parts, granted[0]!.refreshToken)).rejects.toMatchObject(unauthorized)
    expect(await authenticateBearer(parts, accessToken)).toBeUndefined()
  })

  test('that fails to commit leaves the token valid', async () => {
    const { refreshToken } = await organization(parts)
    const fails = refreshSession(parts, refreshToken, failingTransact(parts.db, 'the response was not recorded'))
    await expect(fails).rejects.toThrow('not recorded')
    expect(await refreshSession(parts, refreshToken)).toMatchObject({ expiresIn: 3_600 })
  })

  test('expires after thirty days without use', async () => {
    const { refreshToken } = await organization(parts)
    parts.clock.advance(REFRESH_TOKEN_SECONDS * 1_000)
    await expect(refreshSession(parts, refreshToken)).rejects.toMatchObject(unauthorized)
    await expect(refreshSession(parts, 'nonsense')).rejects.toMatchObject(unauthorized)
  })
})
