import type { FastifyRequest } from 'fastify'
import type { Credential, UserCredential } from '../../../identity/index.ts'
import { Failure } from '../../../kernel/index.ts'
import { clientAddress } from '../limits/client-address.ts'
import { type Access, permissionOf } from './access.ts'
import type { CredentialAuthenticator } from './app.ts'

/**
 * Authenticates the credential of a request; the first step of the pipeline. Throws the errors of the surface (spec 5,
 * contract 3): on v1 INVALID_API_KEY, API_KEY_DISABLED, ORGANIZATION_NOT_FOUND; on core and agent UNAUTHORIZED for a
 * missing or unknown credential, API_KEY_DISABLED for a revoked or expired key, ORGANIZATION_NOT_FOUND. On all of them
 * FORBIDDEN for an address outside the key's allow-list.
 */
export async function authenticateRequest(
  access: Access,
  request: FastifyRequest,
  authenticate: CredentialAuthenticator,
): Promise<Credential | undefined> {
  if (access === 'open' || access === 'auth') return undefined
  const { headers } = request
  const key = single(headers['x-api-key'])
  const from = clientAddress(request)
  switch (access.surface) {
    case 'v1':
      if (key === undefined) throw missing('INVALID_API_KEY', 'The header x-api-key is missing.')
      return authenticate.key(key, from)
    case 'validate':
      if (key === undefined) throw missing('UNAUTHORIZED', 'The header X-API-Key is missing.')
      return undefined
    case 'agent':
      return keyOnCore(key, from, authenticate)
    case 'core': {
      const token = bearerToken(headers.authorization)
      if (token !== undefined) return authenticate.bearer(token)
      if (access.key) return keyOnCore(key, from, authenticate)
      if (key === undefined) throw missing('UNAUTHORIZED')
      throw new Failure('UNAUTHORIZED', {
        message: 'This endpoint takes a user session (Bearer), not an API key.',
        refusal: { reason: 'session_required' },
      })
    }
  }
}

/** Checks that the credential may call the route; runs after the rate limit. Throws FORBIDDEN. */
export function authorizeRequest(access: Access, credential: Credential | undefined): void {
  if (access === 'open' || access === 'auth' || credential === undefined) return
  if (access.surface === 'v1') {
    if (access.needs === 'write' && credential.kind === 'key' && credential.scope === 'admin')
      throw forbidden('read_only_key', 'An admin key is read-only; it cannot create or change anything.')
  } else if (credential.kind === 'key') {
    if (credential.scope !== 'organization')
      throw forbidden('key_scope', `This is a v1-only key (scope ${credential.scope}).`)
  } else if (access.surface === 'core' && !access.roles.includes(credential.role)) {
    throw forbidden('role', `The role ${credential.role} does not allow this request.`)
  } else if (credential.passwordChangeRequired && !(access.surface === 'core' && access.beforePasswordChange)) {
    throw forbidden(
      'password_change_required',
      'Somebody else set your password. First set your own with POST /api/core/auth/password.',
    )
  }
  if (access.surface === 'core' && credential.kind === 'user') requireFactor(access, credential)
  const permission = permissionOf(access)
  if (permission !== undefined && credential.kind === 'key' && !(credential.permissions?.includes(permission) ?? true))
    throw forbidden('key_permission', `This key does not have the permission ${permission}.`)
}

/** FORBIDDEN where the route needs a second factor that this session has not verified lately, or not at all. */
function requireFactor(access: Extract<Access, { surface: 'core' }>, credential: UserCredential): void {
  const { secondFactor, enrollmentRequired } = credential
  if (enrollmentRequired && !access.beforeEnrollment) {
    throw new Failure('FORBIDDEN', {
      message: 'Your organization requires a second factor. Enroll one at /api/core/auth/factors.',
      details: { reason: 'enrollment_required' },
    })
  }
  if (access.stepUp && secondFactor?.isStale) {
    throw new Failure('FORBIDDEN', {
      message: 'Verify your second factor with POST /api/core/auth/step-up, then repeat the request.',
      details: { reason: 'step_up_required', factors: [...secondFactor.kinds, 'recovery_code'] },
    })
  }
}

/** On core an unknown key is UNAUTHORIZED, like a missing credential: only v1 has its own codes for keys. */
async function keyOnCore(
  key: string | undefined,
  from: string,
  authenticate: CredentialAuthenticator,
): Promise<Credential> {
  if (key === undefined) throw missing('UNAUTHORIZED')
  try {
    return await authenticate.key(key, from)
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'INVALID_API_KEY') throw error
    throw new Failure('UNAUTHORIZED', { refusal: error.refusal ?? { reason: 'unknown_key' } })
  }
}

function missing(code: 'INVALID_API_KEY' | 'UNAUTHORIZED', message?: string): Failure {
  return new Failure(code, { ...(message !== undefined && { message }), refusal: { reason: 'missing_credential' } })
}

function forbidden(reason: string, message: string): Failure {
  return new Failure('FORBIDDEN', { message, refusal: { reason } })
}

/** The token of `Authorization: Bearer ...`; the scheme's case does not matter (RFC 9110). */
function bearerToken(header: string | undefined): string | undefined {
  return /^Bearer +(\S+)\s*$/i.exec(header ?? '')?.[1]
}

function single(header: string | string[] | undefined): string | undefined {
  const value = Array.isArray(header) ? header[0] : header
  return value === undefined || value.trim() === '' ? undefined : value.trim()
}
