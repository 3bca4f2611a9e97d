import type { FastifyRequest } from 'fastify'
import type { Credential, KeyCredential, ServiceAccountCredential, UserCredential } from '../../../identity/index.ts'
import { Failure } from '../../../kernel/index.ts'
import type { CredentialAuthenticator } from '../app.ts'
import { clientAddress } from '../limits/client-address.ts'
import { type Access, ADMINS, permissionOf } from './access.ts'
import type { SessionCookie } from './session-cookie.ts'

interface CredentialReaders {
  readonly authenticate: CredentialAuthenticator
  readonly cookie: SessionCookie
}

/**
 * Authenticates the credential of a request; the first step of the pipeline. Throws the errors of the surface (spec 5,
 * contract 3): on v1 INVALID_API_KEY, API_KEY_DISABLED, ORGANIZATION_NOT_FOUND; on core and agent UNAUTHORIZED for a
 * missing or unknown credential, API_KEY_DISABLED for a revoked or expired key, ORGANIZATION_NOT_FOUND. On all of them
 * FORBIDDEN for an address outside the key's allow-list, and for a browser's cookie that another site may have sent.
 */
export async function authenticateRequest(
  access: Access,
  request: FastifyRequest,
  { authenticate, cookie }: CredentialReaders,
): Promise<Credential | undefined> {
  if (access === 'open' || access === 'auth') return undefined
  const { headers } = request
  const key = single(headers['x-api-key'])
  const from = clientAddress(request)
  const ofBrowser = browserSession(request, { authenticate, cookie })
  switch (access.surface) {
    case 'v1':
      if (ofBrowser) return ofBrowser()
      if (key === undefined) throw missing('INVALID_API_KEY', 'The header x-api-key is missing.')
      return authenticate.key(key, from)
    case 'validate':
      if (key === undefined) throw missing('UNAUTHORIZED', 'The header X-API-Key is missing.')
      return undefined
    case 'agent':
      return keyOnCore(key, from, authenticate)
    case 'core': {
      const token = bearerToken(headers.authorization)
      if (token !== undefined) return authenticate.bearer(token, from)
      if (ofBrowser) return ofBrowser()
      if (access.key) return keyOnCore(key, from, authenticate)
      if (key === undefined) throw missing('UNAUTHORIZED')
      throw new Failure('UNAUTHORIZED', {
        message: 'This endpoint takes a user session (Bearer), not an API key.',
        refusal: { reason: 'session_required' },
      })
    }
  }
}

/**
 * Reads the session of a browser, for requests with its cookie and no other credential; `undefined` for all others. The
 * request must come from a page of this service.
 */
function browserSession(
  request: FastifyRequest,
  { authenticate, cookie }: CredentialReaders,
): (() => Promise<Credential>) | undefined {
  const { authorization, 'x-api-key': key } = request.headers
  if (authorization !== undefined || key !== undefined) return undefined
  const value = cookie.read(request)
  if (value === undefined) return undefined
  return async () => {
    cookie.requireOwnRequest(request, value)
    if (authenticate.cookie === undefined) throw missing('UNAUTHORIZED')
    return authenticate.cookie(value)
  }
}

/** Checks that the credential may call the route; runs after the rate limit. Throws FORBIDDEN. */
export function authorizeRequest(access: Access, credential: Credential | undefined): void {
  if (access === 'open' || access === 'auth' || credential === undefined) return
  if (credential.kind === 'service_account') authorizeServiceAccount(access, credential)
  else authorizeKeyOrUser(access, credential)
}

function authorizeKeyOrUser(access: Exclude<Access, string>, credential: KeyCredential | UserCredential): void {
  if (access.surface === 'v1') {
    if (access.needs === 'write' && credential.kind === 'key' && credential.scope === 'admin')
      throw forbidden('read_only_key', 'An admin key is read-only; it cannot create or change anything.')
    // A member who could create a key for this may do it in the browser.
    if (access.needs === 'write' && credential.kind === 'user' && !ADMINS.includes(credential.role))
      throw forbidden('role', `The role ${credential.role} does not allow this request.`)
    if (credential.kind === 'user' && credential.passwordChangeRequired) throw passwordChangeRequired()
  } else if (credential.kind === 'key') {
    if (credential.scope !== 'organization')
      throw forbidden('key_scope', `This is a v1-only key (scope ${credential.scope}).`)
  } else if (access.surface === 'core' && !access.roles.includes(credential.role)) {
    throw forbidden('role', `The role ${credential.role} does not allow this request.`)
  } else if (credential.passwordChangeRequired && !(access.surface === 'core' && access.beforePasswordChange)) {
    throw passwordChangeRequired()
  }
  if (access.surface === 'core' && credential.kind === 'user') requireFactor(access, credential)
  if (access.surface === 'v1' && credential.kind === 'user')
    requireFactor({ stepUp: access.needs === 'write' }, credential)
  const permission = permissionOf(access)
  if (permission !== undefined && credential.kind === 'key' && !(credential.permissions?.includes(permission) ?? true))
    throw forbidden('key_permission', `This key does not have the permission ${permission}.`)
}

/** A route that does not admit service accounts needs a person: approvals, members, keys, security. */
function authorizeServiceAccount(access: Exclude<Access, string>, { role }: ServiceAccountCredential): void {
  if (access.surface !== 'core' || !access.serviceAccounts)
    throw new Failure('FORBIDDEN', {
      message: 'This request needs a person: a service account may not make it.',
      details: { reason: 'person_required' },
    })
  if (!access.roles.includes(role)) throw forbidden('role', `The role ${role} does not allow this request.`)
}

/**
 * FORBIDDEN where the route needs a second factor that this session has not verified recently, or ever, and for a cookie
 * that was replaced, which may be a copy.
 */
function requireFactor(
  access: { readonly beforeEnrollment?: true; readonly stepUp?: boolean },
  credential: UserCredential,
): void {
  const { secondFactor, enrollmentRequired, cookie } = credential
  if (enrollmentRequired && !access.beforeEnrollment) {
    throw new Failure('FORBIDDEN', {
      message: 'Your organization requires a second factor. Enroll one at /api/core/auth/factors.',
      details: { reason: 'enrollment_required' },
    })
  }
  if (access.stepUp && cookie?.isReplaced) {
    throw new Failure('FORBIDDEN', {
      message: 'Another request of this browser has replaced the cookie. Repeat the request with the new one.',
      details: { reason: 'session_cookie_replaced' },
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

function passwordChangeRequired(): Failure {
  return forbidden(
    'password_change_required',
    'Somebody else set your password. Set your own first with POST /api/core/auth/password.',
  )
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
