import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  calculatePKCECodeChallenge,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
} from 'openid-client'
import { Failure, SSO_SUBJECT_LENGTH_MAX, SSO_TIMEOUT_MS } from '../../../kernel/index.ts'
import type { SsoConnections } from '../parts.ts'
import type { SsoProvider } from '../providers/provider.ts'
import { claimAt } from '../providers/role-from-claims.ts'
import { ownCallbackUrl, redirectUriOf } from './redirect-uri.ts'

/** What one browser's secret yields: the nonce, and the verifier of PKCE (RFC 7636). */
export interface SignInSecrets {
  readonly nonce: string
  readonly verifier: string
}

/** Who signed in, as the provider says. */
export interface VerifiedClaims {
  readonly issuer: string
  readonly subject: string
  /** Claims of the ID token and, where it lacks them, of the userinfo endpoint. */
  readonly claims: Readonly<Record<string, unknown>>
  /** Claims of the signed ID token alone. */
  readonly signedClaims: Readonly<Record<string, unknown>>
}

type ClientFields = 'id' | 'issuer' | 'clientId' | 'scopes' | 'verifiedEmailClaim' | 'roleClaim' | 'ownCallback'
type Client = Pick<SsoProvider, ClientFields> & { readonly clientSecret: string }

/** The page at which a browser signs in, and the URI that the provider sends it back to. */
export interface AuthorizationPage {
  readonly url: string
  readonly redirectUri: string
}

/**
 * Where a browser signs in: the authorization code flow with state, nonce and PKCE. The shared redirect URI is used only
 * for a provider of an earlier version whose responses name their issuer (RFC 9207). CONFLICT (`provider_unavailable`)
 * if the provider's discovery document cannot be read or is not that of the issuer.
 */
export async function authorizationUrl(
  sso: SsoConnections,
  client: Client,
  request: SignInSecrets & { readonly state: string; readonly email?: string | undefined },
): Promise<AuthorizationPage> {
  try {
    const config = await discover(sso, client)
    const namesIssuer = config.serverMetadata().authorization_response_iss_parameter_supported === true
    const redirectUri = client.ownCallback || !namesIssuer ? ownCallbackUrl(sso, client.id) : sso.callbackUrl
    const url = buildAuthorizationUrl(config, {
      redirect_uri: redirectUri,
      scope: client.scopes.join(' '),
      state: request.state,
      nonce: request.nonce,
      code_challenge: await calculatePKCECodeChallenge(request.verifier),
      code_challenge_method: 'S256',
      ...(request.email === undefined ? {} : { login_hint: request.email }),
    })
    return { url: url.href, redirectUri }
  } catch (cause) {
    throw new Failure('CONFLICT', {
      message: 'The identity provider does not respond as OpenID Connect requires.',
      details: { reason: 'provider_unavailable', problem: problemOf(cause) },
      cause,
    })
  }
}

/**
 * Exchanges the code of a callback, and checks the ID token: signature, issuer, audience, nonce, times. `query` is that of
 * the callback, as it came. The provider gets no code that arrived at the URI of another one. UNAUTHORIZED
 * (`sign_in_failed`) if anything is wrong.
 */
export async function exchangeAuthorizationCode(
  sso: SsoConnections,
  client: Client,
  response: SignInSecrets & { readonly state: string; readonly query: string; readonly callbackOf: number | undefined },
): Promise<VerifiedClaims> {
  try {
    const url = new URL(redirectUriOf(sso, client, response))
    url.search = response.query
    const config = await discover(sso, client)
    const tokens = await authorizationCodeGrant(config, url, {
      expectedState: response.state,
      expectedNonce: response.nonce,
      pkceCodeVerifier: response.verifier,
      idTokenExpected: true,
    })
    const signedClaims = tokens.claims()
    if (signedClaims === undefined || !isSubject(signedClaims.sub))
      throw new Error('the ID token has no subject of 1 to 255 printable characters')
    const { sub: subject, iss: issuer } = signedClaims
    const claims = needsUserInfo(config, client, signedClaims)
      ? mergeClaims(client, signedClaims, await fetchUserInfo(config, tokens.access_token, subject))
      : signedClaims
    return { issuer, subject, claims, signedClaims }
  } catch (cause) {
    throw new Failure('UNAUTHORIZED', {
      message: 'The sign-in at the identity provider could not be verified.',
      details: { reason: 'sign_in_failed', problem: problemOf(cause) },
      cause,
    })
  }
}

/**
 * Reads the provider's discovery document; keys are fetched with each sign-in, so a rotated key is known at once. All
 * requests of one step end within its time.
 */
async function discover(sso: SsoConnections, client: Client): Promise<Configuration> {
  const issuer = new URL(client.issuer)
  const deadline = AbortSignal.timeout(SSO_TIMEOUT_MS)
  const insecure = sso.allowHttp && issuer.protocol === 'http:' ? [allowInsecureRequests] : []
  const config = await discovery(issuer, client.clientId, undefined, secretIn(client.clientSecret), {
    [customFetch]: (url, { method, headers, body, signal }) =>
      sso.fetch(url, { method, headers, body, signal: AbortSignal.any([deadline, ...(signal ? [signal] : [])]) }),
    timeout: SSO_TIMEOUT_MS / 1_000,
    // Also checks the signature of ID tokens that come straight from the token endpoint.
    execute: [...insecure, enableNonRepudiationChecks],
  })
  // The library makes an exception for issuers that stand for every tenant of Entra ID.
  if (new URL(config.serverMetadata().issuer).href !== issuer.href)
    throw new Error('the discovery document is that of another issuer')
  return config
}

/** Sends the secret as the discovery document prefers: in the body if that is offered, else in the header. */
function secretIn(clientSecret: string): ReturnType<typeof ClientSecretPost> {
  const inBody = ClientSecretPost(clientSecret)
  const inHeader = ClientSecretBasic(clientSecret)
  return (server, client, body, headers) => {
    const offered = server.token_endpoint_auth_methods_supported
    return (offered?.includes('client_secret_post') ? inBody : inHeader)(server, client, body, headers)
  }
}

/** Other characters cannot be stored, or are stored as the same replacement: two subjects would become one. */
const isSubject = (text: string): boolean =>
  text !== '' && text.length <= SSO_SUBJECT_LENGTH_MAX && !/[\p{Cc}\p{Cs}]/u.test(text)

type NeededClaims = Pick<Client, 'verifiedEmailClaim' | 'roleClaim'>

function needsUserInfo(
  config: Configuration,
  { verifiedEmailClaim, roleClaim }: NeededClaims,
  claims: Readonly<Record<string, unknown>>,
): boolean {
  if (config.serverMetadata().userinfo_endpoint === undefined) return false
  const needed = ['email', verifiedEmailClaim, ...(roleClaim === null ? [] : [roleClaim])]
  return needed.some((name) => claimAt(claims, name) === undefined)
}

/** The ID token wins. A claim that an address is verified counts only for that address. */
function mergeClaims(
  { verifiedEmailClaim }: NeededClaims,
  signed: Readonly<Record<string, unknown>>,
  info: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const fromInfo = info.email === (signed.email ?? info.email) ? claimAt(info, verifiedEmailClaim) : undefined
  const fromToken = signed.email === undefined ? undefined : claimAt(signed, verifiedEmailClaim)
  return { ...info, ...signed, [verifiedEmailClaim]: fromToken ?? fromInfo }
}

/** A word for the person who configures the provider; never text of the provider. */
function problemOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' && /^[A-Z_]{3,60}$/.test(code) ? code : 'NOT_VERIFIED'
}
