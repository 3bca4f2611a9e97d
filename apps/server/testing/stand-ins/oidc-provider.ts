import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair } from 'jose'
import Provider, { type Configuration } from 'oidc-provider'

/** What the provider says about a person who signs in. */
export type PersonClaims = Readonly<Record<string, unknown>>

/** A real OpenID Connect provider in this process, over HTTP. */
export interface OidcProvider {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** People by the login name that they type; change it at any time. */
  readonly people: Map<string, PersonClaims>
  /** Replaces the signing key, as a provider does that suspects a theft. */
  rotateKey(): Promise<void>
  close(): Promise<void>
}

const CLIENT = { clientId: 'weir', clientSecret: 'a-secret-of-the-tests-for-weir-at-the-provider' }
const CLAIMS = ['email', 'email_verified', 'name', 'groups', 'amr', 'acr']

/** Starts `oidc-provider` on a free port; it knows one client, whose redirect URIs are this and those of its providers. */
export async function startOidcProvider(redirectUri: string): Promise<OidcProvider> {
  const people = new Map<string, PersonClaims>()
  const server = createServer((request, response) => handler(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  let handler: ReturnType<Provider['callback']>
  let keys = 0

  async function rotateKey(): Promise<void> {
    keys += 1
    const { privateKey } = await generateKeyPair('RS256', { extractable: true })
    const jwk = { ...(await exportJWK(privateKey)), kid: `key-${keys}`, alg: 'RS256', use: 'sig' }
    const provider = new Provider(issuer, configuration(redirectUri, people, jwk))
    // The ids of the providers that the service gives this issuer are known only later.
    provider.Client.prototype.redirectUriAllowed = (uri: string) =>
      uri === redirectUri || (uri.startsWith(`${redirectUri}/`) && /^[0-9]+$/.test(uri.slice(redirectUri.length + 1)))
    handler = provider.callback()
  }
  await rotateKey()
  return {
    issuer,
    ...CLIENT,
    people,
    rotateKey,
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

function configuration(redirectUri: string, people: OidcProvider['people'], jwk: object): Configuration {
  return {
    clients: [{ client_id: CLIENT.clientId, client_secret: CLIENT.clientSecret, redirect_uris: [redirectUri] }],
    jwks: { keys: [jwk as never] },
    cookies: { keys: ['of the tests'] },
    claims: { openid: ['sub'], email: CLAIMS },
    pkce: { required: () => true },
    ttl: { AccessToken: 60, AuthorizationCode: 60, Grant: 60, IdToken: 60, Interaction: 60, Session: 60 },
    findAccount: (_context, id) => ({ accountId: id, claims: async () => ({ sub: id, ...people.get(id) }) }),
  }
}

/** A browser: cookies by host, redirects followed by hand. */
export interface TestBrowser {
  readonly cookies: Map<string, Map<string, string>>
  request(url: string, init?: { method?: string; body?: string; accept?: string }): Promise<Response>
}

export function createBrowser(): TestBrowser {
  const cookies = new Map<string, Map<string, string>>()
  return {
    cookies,
    async request(url, { method = 'GET', body, accept } = {}) {
      const { host } = new URL(url)
      const jar = cookies.get(host) ?? new Map<string, string>()
      cookies.set(host, jar)
      const response = await fetch(url, {
        method,
        redirect: 'manual',
        headers: {
          cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; '),
          ...(accept === undefined ? {} : { accept }),
          ...(body === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
        },
        ...(body === undefined ? {} : { body }),
      })
      for (const line of response.headers.getSetCookie()) {
        const [pair = ''] = line.split(';')
        const [name = '', value = ''] = pair.split('=', 2)
        if (value === '' || /max-age=0/i.test(line)) jar.delete(name)
        else jar.set(name, value)
      }
      return response
    },
  }
}

/**
 * Walks from the provider's authorization page to the redirect back: follows redirects, types the login name, consents.
 * Returns the URL that the browser is sent back to, without requesting it.
 */
export async function signInAtProvider(browser: TestBrowser, start: string, login: string): Promise<string> {
  const { origin } = new URL(start)
  let response = await browser.request(start)
  for (let steps = 0; steps < 20; steps += 1) {
    const location = response.headers.get('location')
    if (location !== null) {
      const target = new URL(location, origin)
      if (target.origin !== origin) return target.href
      response = await browser.request(target.href)
      continue
    }
    const page = await response.text()
    const [, action] = /<form[^>]*action="([^"]+)"/.exec(page) ?? []
    const [, prompt] = /name="prompt" value="(\w+)"/.exec(page) ?? []
    if (action === undefined) throw new Error(`the provider shows no form: ${response.status} ${page.slice(0, 500)}`)
    const form = new URLSearchParams({ prompt: prompt ?? 'login', login, password: 'any' })
    response = await browser.request(new URL(action, origin).href, { method: 'POST', body: form.toString() })
  }
  throw new Error('the provider does not send the browser back')
}
