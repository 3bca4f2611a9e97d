import type { ResourceIds } from './organization-fixture.ts'

/** How a request names objects: path parameters, query, body. */
export interface PathIds {
  readonly path?: Readonly<Record<string, number>>
  readonly query?: Readonly<Record<string, string | number>>
  readonly body?: unknown
}

/** Values shared by all organizations. */
export interface Common {
  readonly strategyId: number
  readonly venueId: number
  readonly tokenAddress: string
}

/**
 * Who may call a route (contract 3), in addition to the security in the document.
 *
 * - `open`: anyone. `read`, `write`: an API key; admin keys only read.
 * - `everyone`, `approvers`, `admins`, `owners`: a user session of, respectively, any role, any but a viewer, an owner or
 *   admin, an owner.
 * - `readers`: a user session of any role, or an organization key.
 * - `agents`: an organization key.
 * - `validate`: any text in the key's header.
 */
export type Access =
  | 'open'
  | 'read'
  | 'write'
  | 'everyone'
  | 'approvers'
  | 'admins'
  | 'owners'
  | 'readers'
  | 'agents'
  | 'validate'

export interface RouteAccess {
  readonly access: Access
  /** Every way in which a caller can name a tenant's object; the first is used to probe access. */
  readonly request?: readonly ((names: ResourceIds, common: Common) => PathIds)[]
  /** The object belongs to the organization: keys of every profile see it (contract 11). */
  readonly shared?: true
  /** A probe that passes the credential and has no effect, for routes without `asks`; an empty body otherwise. */
  readonly probe?: PathIds
}

/** Names objects as `naming` does, and sends this body. */
export const withBody =
  (body: object, naming: (names: ResourceIds) => PathIds) =>
  (names: ResourceIds): PathIds => ({ ...naming(names), body })
