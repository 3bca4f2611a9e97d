import { errors, jwtVerify, SignJWT } from 'jose'
import { ACCESS_TOKEN_SECONDS, currentKey, isId, randomBase62, UNNAMED_KEY_ID } from '../../kernel/index.ts'
import type { IdentityParts } from '../shared/parts.ts'

/** The claims of an access token; role, membership and log-out are read on each request. */
export interface AccessClaims {
  readonly organizationId: number
  readonly userId: number
  readonly sessionId: number
}

type TokenParts = Pick<IdentityParts, 'clock' | 'secrets' | 'environment'>

const ISSUER = 'weir'
const ALGORITHM = 'HS256'
/** Token times are whole seconds: the id makes two tokens of one session in the same second different. */
const TOKEN_ID_LENGTH = 16
const bytesOf = (secret: string): Uint8Array => new TextEncoder().encode(secret)
/** The audience contains the environment, so that a sandbox token is invalid in live, even with a shared secret. */
const audienceOf = (parts: TokenParts): string => `weir:${parts.environment}:core`
const secondsOf = (date: Date): number => Math.floor(date.getTime() / 1_000)

/** A signed access token that is valid for one hour (contract 3). */
export async function signAccessToken(
  parts: TokenParts & Pick<IdentityParts, 'random'>,
  claims: AccessClaims,
): Promise<string> {
  const now = secondsOf(parts.clock.now())
  const { jwt } = parts.secrets
  return await new SignJWT({ org: claims.organizationId, sid: claims.sessionId })
    .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT', kid: jwt.currentId })
    .setIssuer(ISSUER)
    .setAudience(audienceOf(parts))
    .setSubject(String(claims.userId))
    .setJti(randomBase62(parts.random, TOKEN_ID_LENGTH))
    .setIssuedAt(now)
    .setExpirationTime(now + ACCESS_TOKEN_SECONDS)
    .sign(bytesOf(currentKey(jwt)))
}

/**
 * The one secret that a token names; tokens of versions before key rings name none. A `kid` is a name to compare,
 * never a path or an address.
 */
function verifyingKey({ secrets }: TokenParts, kid: unknown): Uint8Array {
  const secret = secrets.jwt.keys.get(kid === undefined ? UNNAMED_KEY_ID : String(kid))
  if (secret === undefined || (kid !== undefined && typeof kid !== 'string')) throw new errors.JWKSNoMatchingKey()
  return bytesOf(secret)
}

/** The claims of an unexpired token signed by this service; `undefined` for anything else. */
export async function readAccessToken(parts: TokenParts, token: string): Promise<AccessClaims | undefined> {
  try {
    const { payload } = await jwtVerify(token, ({ kid }) => verifyingKey(parts, kid), {
      algorithms: [ALGORITHM],
      issuer: ISSUER,
      audience: audienceOf(parts),
      requiredClaims: ['exp', 'sub'],
      currentDate: parts.clock.now(),
    })
    const { org: organizationId, sid: sessionId } = payload
    const userId = Number(payload.sub)
    return isId(organizationId) && isId(sessionId) && isId(userId) ? { organizationId, sessionId, userId } : undefined
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined
    throw error
  }
}
