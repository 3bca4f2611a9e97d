import type { FastifyRequest } from 'fastify'
import type { KeyPermission, Role } from '../../../database/index.ts'
import type { RateLimitName } from '../../../kernel/index.ts'

/**
 * Who may call a route; every route declares it (spec 5, contract 3).
 *
 * - `open`: no credential (health, documents); limited per address.
 * - `auth`: no credential, because the caller comes to get one (register, login, refresh); limited per address.
 * - `v1`: an API key in `x-api-key`. `write` refuses admin keys with 403 FORBIDDEN. Also a browser's session, for
 *   `write` of an owner or admin who verified their second factor recently, if they have one.
 * - `core`: a user session in `Authorization: Bearer` with one of the roles. With `key` an organization key in
 *   `X-API-Key` works too. With `beforePasswordChange: true` a user whose password somebody else set may call it, and
 *   with `beforeEnrollment: true` a user who has yet to enroll the second factor that the organization requires. With
 *   `stepUp: true` a user who has a second factor must have verified one on this session within STEP_UP_MINUTES. With
 *   `serviceAccounts: true` a service account with one of the roles may call it; without, only a person may. The list of
 *   these routes is in system/access/service-account-routes.ts.
 * - `agent`: an organization key with the permission `agent`.
 * - `validate`: the header `X-API-Key` must be present; the handler checks its value.
 *
 * `permission` and `key` name the permission that a key with explicit permissions needs.
 */
export type Access =
  | 'open'
  | 'auth'
  | { readonly surface: 'v1'; readonly needs: 'read' | 'write'; readonly permission: KeyPermission }
  | {
      readonly surface: 'core'
      readonly roles: readonly Role[]
      readonly key?: KeyPermission
      readonly beforePasswordChange?: true
      readonly beforeEnrollment?: true
      readonly stepUp?: true
      readonly serviceAccounts?: true
    }
  | { readonly surface: 'agent' }
  | { readonly surface: 'validate' }

/** The permission that a key needs for a route; `undefined` if the route takes no keys. */
export function permissionOf(access: Access): KeyPermission | undefined {
  if (typeof access === 'string') return undefined
  if (access.surface === 'v1') return access.permission
  if (access.surface === 'core') return access.key
  return access.surface === 'agent' ? 'agent' : undefined
}

/** Whether a service account with one of the roles may call a route; a person is needed otherwise. */
export function isForServiceAccounts(access: Access): boolean {
  return typeof access === 'object' && access.surface === 'core' && access.serviceAccounts === true
}

declare module 'fastify' {
  interface FastifyContextConfig {
    access: Access
    /** The rate limit that counts the request. */
    limit: RateLimitName
    /**
     * Set on every POST that creates or moves something: the route accepts `Idempotency-Key`. `secret`: the stored
     * response has null in place of the fields in `secretFields`.
     */
    idempotent?: 'plain' | 'secret'
    /** The route records who decided: the same `Idempotency-Key` of another user is another request. */
    idempotentByUser?: true
    /** Only callers on this machine may call the route. */
    localOnly?: true
    /** Why a route without a credential may return FORBIDDEN. */
    forbidden?: string
    /** Why a route without a credential may return NOT_FOUND. */
    notFound?: string
    /** Why a route without a credential may return CONFLICT. */
    conflict?: string
    /** The handler reads the body's bytes itself (`rawBodyOf`): forms, and messages whose signature covers every byte. */
    rawBody?: true
    /** Paths in the response, such as `data.apiKey`. */
    secretFields?: readonly string[]
    /** Reloads the object of a stored response, so that a replay includes the secrets that are not stored with it. */
    reread?: (request: FastifyRequest, stored: unknown) => Promise<unknown>
  }
}

/** The surface determines the shape of errors: v1 for `/v1` and everything below, core for the rest (contract 4). */
export type Surface = 'core' | 'v1'

/** The surface of a request target: a path with or without a query, or an absolute URL, as proxies may send. */
export function surfaceOf(url: string): Surface {
  return /^(?:https?:\/\/[^/?#]*)?\/v1(?:[/?#]|$)/i.test(url) ? 'v1' : 'core'
}

/** Sets of roles for routes (contract 3). */
export const EVERYONE: readonly Role[] = ['owner', 'admin', 'approver', 'viewer']
export const ADMINS: readonly Role[] = ['owner', 'admin']
export const OWNERS: readonly Role[] = ['owner']
