import { afterAll, beforeAll, expect, test } from 'vitest'
import { type DnsServer, startDnsServer } from '../../testing/stand-ins/dns-server.ts'
import { type ForgingProvider, startForgingProvider } from '../../testing/stand-ins/forging-provider.ts'
import { createBrowser } from '../../testing/stand-ins/oidc-provider.ts'
import { beginSignIn, callBack, createSsoOrganization, type SsoOrganization } from '../clients/sso-organization.ts'
import { type System, startSystem } from '../service/start-system.ts'

let system: System
let dns: DnsServer
let honest: ForgingProvider
let hostile: ForgingProvider
let ours: SsoOrganization
let theirs: SsoOrganization

beforeAll(async () => {
  dns = await startDnsServer()
  system = await startSystem({ DNS_SERVERS: dns.address })
  honest = await startForgingProvider()
  hostile = await startForgingProvider()
  const sso = (domain: string, { issuer }: { readonly issuer: string }) =>
    createSsoOrganization({ system, dns, domain, provider: { issuer } })
  ours = await sso('ours.example', honest)
  theirs = await sso('theirs.example', hostile)
})
afterAll(async () => {
  await honest?.close()
  await hostile?.close()
  await system?.stop()
  await dns?.close()
})

const shared = () => `${system.process.url}/api/core/auth/sso/callback`

// The hostile provider sends the browser on to the honest one, with a nonce and a challenge of the attacker.
test.each([
  ['the redirect URI of the honest provider', () => `${shared()}/${ours.providerId}`, false],
  ['the redirect URI that all shared once', shared, false],
  ['the redirect URI that all shared once, with its issuer', shared, true],
])('a hostile provider gets no code of an honest one that arrives at %s', async (_name, at, named) => {
  const browser = createBrowser()
  const start = await beginSignIn(system, browser, `organization=${theirs.id}`)
  expect(start.searchParams.get('redirect_uri')).toBe(`${shared()}/${theirs.providerId}`)
  hostile.requests.length = 0
  const query = new URLSearchParams({ state: start.searchParams.get('state')!, code: 'of-the-honest-provider' })
  if (named) query.set('iss', honest.issuer)
  const outcome = await callBack(browser, `${at()}?${query}`)
  expect(outcome).toEqual({ status: 401, reason: 'sign_in_failed', code: undefined })
  expect(hostile.requests).toEqual([])
})
