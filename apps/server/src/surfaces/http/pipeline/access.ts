import type { FastifyRequest } from 'fastify'
import type { Role } from '../../../database/index.ts'
import type { RateLimitName } from '../../../kernel/index.ts'

/**
 * Who may call a route; every route states it (spec 5, contract 3).
 *
 * - `open`: nobody is asked (health, documentation); limited per address.
 * - `auth`: nobody is asked, because the caller comes for a credential (register, login, refresh); limited per address.
 * - `v1`: an API key in `x-api-key`. `write` refuses admin keys with 403 FORBIDDEN.
 * - `core`: a user's session in `Authorization: Bearer`, of one of the roles. With `key: true` an organization key in
 *   `X-API-Key` will do instead.
 * - `agent`: an organization key.
 * - `validate`: the header `X-API-Key` must be there; the handler judges what it holds.
 */
export type Access =
  | 'open'
  | 'auth'
  | { readonly surface: 'v1'; readonly needs: 'read' | 'write' }
  | { readonly surface: 'core'; readonly roles: readonly Role[]; readonly key?: true }
  | { readonly surface: 'agent' }
  | { readonly surface: 'validate' }

declare module 'fastify' {
  interface FastifyContextConfig {
    access: Access
    /** Which of the common limits counts the request. */
    limit: RateLimitName
    /**
     * Set on every POST that creates or moves something: it honours `Idempotency-Key`. `secret`: what is kept for a
     * replay has null in place of the fields that `secretFields` names.
     */
    idempotent?: 'plain' | 'secret'
    /** Set where callers on this machine only are let in. */
    localOnly?: true
    /** The handler reads the body's bytes itself (`bytesOf`): forms, and messages whose signature covers each byte. */
    rawBody?: true
    /** Paths in the answer, such as `data.apiKey`. */
    secretFields?: readonly string[]
    /** Reads again what a kept answer is about, with its secrets: they are told again, though not kept with it. */
    reread?: (request: FastifyRequest, kept: unknown) => Promise<unknown>
  }
}

/** The surface decides the shape of errors: v1 for `/v1` and everything below, core for the rest (contract 4). */
export type Surface = 'core' | 'v1'

/** The surface of a request's target: a path, perhaps with a query; proxies may send the whole address. */
export function surfaceOf(url: string): Surface {
  return /^(?:https?:\/\/[^/?#]*)?\/v1(?:[/?#]|$)/i.test(url) ? 'v1' : 'core'
}

/** Sets of roles for routes (contract 3). */
export const EVERYONE: readonly Role[] = ['owner', 'admin', 'approver', 'viewer']
export const ADMINS: readonly Role[] = ['owner', 'admin']
export const OWNERS: readonly Role[] = ['owner']
