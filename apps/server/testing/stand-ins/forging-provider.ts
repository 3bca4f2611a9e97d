import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type CryptoKey, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'

/** A hostile identity provider: it responds with whatever a test puts into it. */
export interface ForgingProvider {
  readonly issuer: string
  /** Replaces fields of the discovery document. */
  discovery: Readonly<Record<string, unknown>>
  /** Makes the ID token for a nonce. */
  idToken: (nonce: string) => Promise<string>
  /** Responds to a path in place of the usual response. */
  intercept: ((path: string) => Response | Promise<Response> | undefined) | undefined
  /** The nonce of the sign-in that the next token is for. */
  nonce: string
  /** Signs claims with the published key, or with another one. */
  sign(claims: JWTPayload, header?: { alg?: string; kid?: string }, key?: CryptoKey): Promise<string>
  /** The claims of a correct ID token. */
  claims(nonce: string, more?: JWTPayload): JWTPayload
  readonly requests: string[]
  close(): Promise<void>
}

export async function startForgingProvider(): Promise<ForgingProvider> {
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true })
  const jwk = { ...(await exportJWK(publicKey)), kid: 'published', alg: 'RS256', use: 'sig' }
  const server = createServer((request, response) => {
    const path = request.url ?? '/'
    provider.requests.push(path)
    void answer(path).then(async (made) => {
      response.writeHead(made.status, Object.fromEntries(made.headers))
      response.end(Buffer.from(await made.arrayBuffer()))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  async function answer(path: string): Promise<Response> {
    const intercepted = await provider.intercept?.(path)
    if (intercepted !== undefined) return intercepted
    if (path.startsWith('/.well-known/')) return Response.json({ ...documentOf(issuer), ...provider.discovery })
    if (path === '/jwks') return Response.json({ keys: [jwk] })
    if (path !== '/token') return new Response(null, { status: 404 })
    const id_token = await provider.idToken(provider.nonce)
    return Response.json({ access_token: 'access', token_type: 'Bearer', expires_in: 60, id_token })
  }
  const provider: ForgingProvider = {
    issuer,
    discovery: {},
    idToken: (nonce) => provider.sign(provider.claims(nonce)),
    intercept: undefined,
    nonce: '',
    sign: (claims, header, key) =>
      new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'published', ...header }).sign(key ?? privateKey),
    claims(nonce, more) {
      const now = Math.floor(Date.now() / 1_000)
      return { iss: issuer, aud: 'weir', sub: 'mallory', nonce, iat: now, exp: now + 300, ...more }
    },
    requests: [],
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
  return provider
}

function documentOf(issuer: string) {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
  }
}
