import fc from 'fast-check'
import { SignJWT } from 'jose'
import { describe, expect, test } from 'vitest'
import { identityFixture, organization } from '../../../testing/identity/identity-fixture.ts'
import { countStatements } from '../../../testing/index.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { currentKey, keyRing, ringOf } from '../../kernel/index.ts'
import { signAccessToken } from './access-token.ts'
import { authenticateBearer } from './authenticate-bearer.ts'

const parts = useFixture(identityFixture)

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

  test('names its secret, and is valid while that secret is in the ring', async () => {
    const { accessToken } = await organization(parts)
    const first = parts.secrets.jwt.keys.get('0')!
    const withJwt = (...keys: [string, string][]) => ({ ...parts, secrets: { ...parts.secrets, jwt: keyRing(keys) } })
    const later: [string, string] = ['2026b', 'the second secret of the tests, as long']
    expect(JSON.parse(Buffer.from(accessToken.split('.')[0]!, 'base64url').toString())).toMatchObject({ kid: '0' })
    expect(await authenticateBearer(withJwt(later, ['0', first]), accessToken)).toBeDefined()
    expect(await authenticateBearer(withJwt(later), accessToken)).toBeUndefined()
    expect(await authenticateBearer(withJwt(later, ['1', first]), accessToken)).toBeUndefined()
  })

  test('for another environment, secret, audience or algorithm is invalid', async () => {
    const { accessToken, owner } = await organization(parts)
    expect(await authenticateBearer({ ...parts, environment: 'live' }, accessToken)).toBeUndefined()
    const other = { ...parts, secrets: { ...parts.secrets, jwt: ringOf('another secret, just as long as the first') } }
    expect(await authenticateBearer(other, accessToken)).toBeUndefined()
    const sign = (alg: string, audience: string, claims: object = {}) =>
      new SignJWT({ org: owner.organizationId, sid: owner.sessionId, ...claims })
        .setProtectedHeader({ alg })
        .setIssuer('weir')
        .setAudience(audience)
        .setSubject(String(owner.userId))
        .setExpirationTime(Math.floor(parts.clock.now().getTime() / 1_000) + 60)
        .sign(new TextEncoder().encode(currentKey(parts.secrets.jwt)))
    expect(await authenticateBearer(parts, await sign('HS256', 'weir:sandbox:core'))).toBeDefined()
    expect(await authenticateBearer(parts, await sign('HS512', 'weir:sandbox:core'))).toBeUndefined()
    expect(await authenticateBearer(parts, await sign('HS256', 'somebody'))).toBeUndefined()
    expect(await authenticateBearer(parts, await sign('HS256', 'weir:sandbox:core', { sid: '1' }))).toBeUndefined()
    const [, payload] = accessToken.split('.')
    const none = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${payload}.`
    expect(await authenticateBearer(parts, none)).toBeUndefined()
  })

  test('that names another user than its session does is invalid', async () => {
    const { owner } = await organization(parts)
    const stranger = (await organization(parts)).owner
    expect(await authenticateBearer(parts, await signAccessToken(parts, owner))).toBeDefined()
    for (const other of ['userId', 'organizationId'] as const) {
      const token = await signAccessToken(parts, { ...owner, [other]: stranger[other] })
      expect(await authenticateBearer(parts, token), other).toBeUndefined()
    }
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
