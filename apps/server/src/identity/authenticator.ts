import { type ErrorCode, Failure } from '../kernel/index.ts'
import { authenticateKey, type KeyCheck } from './keys/authenticate-key.ts'
import { authenticateBearer } from './sessions/authenticate-bearer.ts'
import type { KeyCredential, UserCredential } from './shared/credential.ts'
import type { IdentityParts } from './shared/parts.ts'

const REFUSALS = {
  unknown: 'INVALID_API_KEY',
  revoked: 'API_KEY_DISABLED',
  'organization-deleted': 'ORGANIZATION_NOT_FOUND',
} as const satisfies Record<Exclude<KeyCheck['status'], 'valid'>, ErrorCode>

/** Authenticates the credential of every request (spec 5). */
export interface Authenticator {
  /** Throws INVALID_API_KEY, API_KEY_DISABLED, ORGANIZATION_NOT_FOUND. */
  key(presented: string): Promise<KeyCredential>
  /** Throws UNAUTHORIZED. */
  bearer(token: string): Promise<UserCredential>
}

export function authenticatorOf(parts: IdentityParts): Authenticator {
  return {
    key: async (presented) => {
      const check = await authenticateKey(parts, presented)
      if (check.status === 'valid') return check.credential
      throw new Failure(REFUSALS[check.status])
    },
    bearer: async (token) => {
      const credential = await authenticateBearer(parts, token)
      if (credential === undefined) throw new Failure('UNAUTHORIZED')
      return credential
    },
  }
}
