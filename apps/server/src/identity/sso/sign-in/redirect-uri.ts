import type { SsoConnections } from '../parts.ts'
import type { SsoProvider } from '../providers/provider.ts'

/** How a response arrived. */
export interface ArrivedResponse {
  /** The provider in the path; `undefined` at the path that all share. */
  readonly callbackOf: number | undefined
  /** The whole query string, without `?`. */
  readonly query: string
}

/** The redirect URI to register at a provider: no other provider can have a response sent there. */
export function ownCallbackUrl({ callbackUrl }: Pick<SsoConnections, 'callbackUrl'>, providerId: number): string {
  return `${callbackUrl}/${providerId}`
}

/**
 * The redirect URI at which a response to a request to this provider arrived. A hostile provider can send the browser to
 * an honest one in the middle of a sign-in; the honest one's response then arrives at another URI or names another issuer
 * (RFC 9207), whatever the hostile one's documents say. Throws an error that names no secret.
 */
export function redirectUriOf(
  sso: Pick<SsoConnections, 'callbackUrl'>,
  { id, issuer, ownCallback }: Pick<SsoProvider, 'id' | 'issuer' | 'ownCallback'>,
  { callbackOf, query }: ArrivedResponse,
): string {
  if (callbackOf === id) return ownCallbackUrl(sso, id)
  if (callbackOf !== undefined || ownCallback) throw otherCallback('the response arrived at another redirect URI')
  const [named, second] = new URLSearchParams(query).getAll('iss')
  const isNamed = named !== undefined && second === undefined && URL.canParse(named)
  if (!isNamed || new URL(named).href !== new URL(issuer).href)
    throw otherCallback('the response at the shared redirect URI does not name this issuer')
  return sso.callbackUrl
}

const otherCallback = (message: string) => Object.assign(new Error(message), { code: 'OTHER_REDIRECT_URI' })
