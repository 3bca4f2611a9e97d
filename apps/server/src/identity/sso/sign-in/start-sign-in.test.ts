// Also tested in: complete-sign-in.test.ts, system/attacks/sso.test.ts.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { organization } from '../../../../testing/identity/identity-fixture.ts'
import {
  organizationWithSso,
  PUBLIC_URL,
  providerInput,
  type SsoFixture,
  ssoFixture,
} from '../../../../testing/identity/sso-fixture.ts'
import { type ForgingProvider, startForgingProvider } from '../../../../testing/stand-ins/forging-provider.ts'
import { createProvider } from '../providers/create-provider.ts'
import { startSignIn } from './start-sign-in.ts'

let parts: SsoFixture
let provider: ForgingProvider
beforeAll(async () => {
  parts = await ssoFixture()
  provider = await startForgingProvider()
})
afterAll(async () => {
  await provider?.close()
  await parts?.close()
})

const signIns = async () => (await parts.db.selectFrom('sso_sign_ins').selectAll().execute()).length

test('the browser is sent to the provider with state, nonce and PKCE, and the database holds none of them', async () => {
  const { domain, provider: own } = await organizationWithSso(parts, { issuer: provider.issuer })
  const { url, browserSecret } = await startSignIn(parts, { email: `Ada@${domain}` })
  const asked = new URL(url)
  expect(asked.origin + asked.pathname).toBe(`${provider.issuer}/authorize`)
  const query = Object.fromEntries(asked.searchParams)
  expect(query).toEqual({
    client_id: 'weir',
    response_type: 'code',
    redirect_uri: `${PUBLIC_URL}/api/core/auth/sso/callback/${own.id}`,
    scope: 'openid email profile',
    state: expect.stringMatching(/^[0-9A-Za-z]{43}$/),
    nonce: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge_method: 'S256',
    login_hint: `Ada@${domain}`,
  })
  const stored = JSON.stringify(await parts.db.selectFrom('sso_sign_ins').selectAll().execute())
  for (const secret of [query.state!, query.nonce!, browserSecret]) expect(stored).not.toContain(secret)
})

test('an address and a domain without single sign-on get the same response, whether somebody has the account', async () => {
  const { user } = await organization(parts)
  const notFound = { code: 'NOT_FOUND', details: { reason: 'sso_not_configured' } }
  for (const email of [user.email, 'nobody@elsewhere.example', 'nobody', '@', 'a@\u0000.example'])
    await expect(startSignIn(parts, { email })).rejects.toMatchObject(notFound)
})

test('an organization with several providers names one, and only its own', async () => {
  const home = await organizationWithSso(parts, { issuer: provider.issuer })
  const other = await organizationWithSso(parts, { issuer: provider.issuer })
  const second = await createProvider(parts, home.owner, providerInput(provider.issuer))
  const { organizationId } = home.owner
  await expect(startSignIn(parts, { organizationId })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
  expect((await startSignIn(parts, { organizationId, providerId: second.id })).url).toContain(provider.issuer)
  const foreign = startSignIn(parts, { organizationId, providerId: other.provider.id })
  await expect(foreign).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await expect(startSignIn(parts, {})).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
})

test('a provider that responds wrongly starts no sign-in', async () => {
  const { owner } = await organizationWithSso(parts, { issuer: provider.issuer })
  const before = await signIns()
  const unavailable = { code: 'CONFLICT', details: expect.objectContaining({ reason: 'provider_unavailable' }) }
  const responses = [
    () => new Response(null, { status: 302, headers: { location: 'http://169.254.169.254/latest' } }),
    () => new Response(null, { status: 500 }),
    () => Response.json({ issuer: 'https://id.other.example' }),
    () => Response.json([]),
    () => new Response('x'.repeat(300_000), { headers: { 'content-type': 'application/json' } }),
  ]
  for (const intercept of responses) {
    provider.intercept = intercept
    await expect(startSignIn(parts, { organizationId: owner.organizationId })).rejects.toMatchObject(unavailable)
  }
  provider.intercept = undefined
  expect(await signIns()).toBe(before)
})

test('sign-ins of earlier days are swept', async () => {
  const { owner } = await organizationWithSso(parts, { issuer: provider.issuer })
  const { organizationId } = owner
  await startSignIn(parts, { organizationId })
  parts.clock.advance(2 * 86_400_000)
  await startSignIn(parts, { organizationId })
  expect(await signIns()).toBe(1)
})

test('a provider of an earlier version keeps the shared redirect URI only while its responses name their issuer', async () => {
  const home = await organizationWithSso(parts, { issuer: provider.issuer })
  const { organizationId } = home.owner
  const before = { own_callback: null }
  await parts.db.updateTable('sso_providers').set(before).where('id', '=', home.provider.id).execute()
  const redirectUri = async () =>
    new URL((await startSignIn(parts, { organizationId })).url).searchParams.get('redirect_uri')
  const shared = `${PUBLIC_URL}/api/core/auth/sso/callback`
  expect(await redirectUri()).toBe(`${shared}/${home.provider.id}`)
  provider.discovery = { authorization_response_iss_parameter_supported: true }
  expect(await redirectUri()).toBe(shared)
  const after = { own_callback: true }
  await parts.db.updateTable('sso_providers').set(after).where('id', '=', home.provider.id).execute()
  expect(await redirectUri()).toBe(`${shared}/${home.provider.id}`)
  provider.discovery = {}
})
