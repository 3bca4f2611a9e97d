import { type ErrorCode, Failure } from '../kernel/index.ts'
import { authenticateKey, type KeyCheck } from './keys/authenticate-key.ts'
import { refusalOfKey } from './keys/refusal-of-key.ts'
import { authenticateBearer } from './sessions/authenticate-bearer.ts'
import { authenticateCookie } from './sessions/authenticate-cookie.ts'
import type { KeyCredential, UserCredential } from './shared/credential.ts'
import type { IdentityParts } from './shared/parts.ts'

const REFUSALS: Record<
  Exclude<KeyCheck['status'], 'valid'>,
  { readonly code: ErrorCode; readonly message?: string }
> = {
  unknown: { code: 'INVALID_API_KEY' },
  revoked: { code: 'API_KEY_DISABLED' },
  expired: { code: 'API_KEY_DISABLED', message: 'The API key has expired.' },
  'address-not-allowed': { code: 'FORBIDDEN', message: 'The API key may not be used from this address.' },
  'organization-deleted': { code: 'ORGANIZATION_NOT_FOUND' },
}

/** Authenticates the credential of every request (spec 5). */
export interface Authenticator {
  /**
   * `from`: the caller's address. Throws INVALID_API_KEY, API_KEY_DISABLED, FORBIDDEN (the address),
   * ORGANIZATION_NOT_FOUND.
   */
  key(presented: string, from?: string): Promise<KeyCredential>
  /** Throws UNAUTHORIZED. */
  bearer(token: string): Promise<UserCredential>
  /** Throws UNAUTHORIZED. */
  cookie(value: string): Promise<UserCredential>
}

export function authenticatorOf(parts: IdentityParts): Authenticator {
  return {
    key: async (presented, from) => {
      const check = await authenticateKey(parts, presented, from)
      if (check.status === 'valid') return check.credential
      const { code, message } = REFUSALS[check.status]
      throw new Failure(code, { ...(message !== undefined && { message }), refusal: refusalOfKey(check) })
    },
    bearer: async (token) => {
      const credential = await authenticateBearer(parts, token)
      if (credential === undefined) throw new Failure('UNAUTHORIZED', { refusal: { reason: 'invalid_token' } })
      return credential
    },
    cookie: async (value) => {
      const credential = await authenticateCookie(parts, value)
      if (credential === undefined) throw new Failure('UNAUTHORIZED', { refusal: { reason: 'invalid_cookie' } })
      return credential
    },
  }
}
