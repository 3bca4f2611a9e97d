import { type ErrorCode, Failure } from '../kernel/index.ts'
import { authenticateKey, type KeyCheck } from './keys/authenticate-key.ts'
import { environmentOfAccountSecret } from './keys/key-material.ts'
import { refusalOfKey } from './keys/refusal-of-key.ts'
import { type AccountSecretCheck, authenticateServiceAccount } from './service-accounts/authenticate-service-account.ts'
import { authenticateBearer } from './sessions/authenticate-bearer.ts'
import { authenticateCookie } from './sessions/authenticate-cookie.ts'
import type { KeyCredential, ServiceAccountCredential, UserCredential } from './shared/credential.ts'
import type { IdentityParts } from './shared/parts.ts'

const REFUSALS: Record<
  Exclude<KeyCheck['status'], 'valid'>,
  { readonly code: ErrorCode; readonly message?: string }
> = {
  unknown: { code: 'INVALID_API_KEY' },
  revoked: { code: 'API_KEY_DISABLED', message: 'The API key was revoked.' },
  expired: { code: 'API_KEY_DISABLED', message: 'The API key has expired.' },
  'address-not-allowed': { code: 'FORBIDDEN', message: 'The API key may not be used from this address.' },
  'organization-deleted': { code: 'ORGANIZATION_NOT_FOUND' },
}

type RefusedSecret = Exclude<AccountSecretCheck['status'], 'valid'>

const SECRET_REFUSALS: Record<
  RefusedSecret,
  { readonly code: ErrorCode; readonly message?: string; readonly reason: string }
> = {
  unknown: { code: 'UNAUTHORIZED', reason: 'unknown_secret' },
  deleted: { code: 'UNAUTHORIZED', reason: 'deleted_service_account' },
  expired: {
    code: 'UNAUTHORIZED',
    message: 'The secret of the service account has expired.',
    reason: 'expired_secret',
  },
  'address-not-allowed': {
    code: 'FORBIDDEN',
    message: 'The service account may not be used from this address.',
    reason: 'address_not_allowed',
  },
  'organization-deleted': { code: 'ORGANIZATION_NOT_FOUND', reason: 'organization_deleted' },
}

/** Authenticates the credential of every request (spec 5). */
export interface Authenticator {
  /**
   * `from`: the caller's address. Throws INVALID_API_KEY, API_KEY_DISABLED, FORBIDDEN (the address),
   * ORGANIZATION_NOT_FOUND.
   */
  key(presented: string, from?: string): Promise<KeyCredential>
  /**
   * An access token, or a secret of a service account; `from`: the caller's address. Throws UNAUTHORIZED; for a secret
   * also FORBIDDEN (the address) and ORGANIZATION_NOT_FOUND.
   */
  bearer(token: string, from?: string): Promise<UserCredential | ServiceAccountCredential>
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
    bearer: async (token, from) => {
      if (environmentOfAccountSecret(token) !== undefined) return await serviceAccountOf(parts, token, from)
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

async function serviceAccountOf(
  parts: IdentityParts,
  presented: string,
  from: string | undefined,
): Promise<ServiceAccountCredential> {
  const check = await authenticateServiceAccount(parts, presented, from)
  if (check.status === 'valid') return check.credential
  const { code, message, reason } = SECRET_REFUSALS[check.status]
  const whose =
    check.status === 'unknown'
      ? {}
      : {
          organizationId: check.account.organizationId,
          actor: { type: 'service_account', id: check.account.id } as const,
        }
  throw new Failure(code, { ...(message !== undefined && { message }), refusal: { reason, ...whose } })
}
