import type { KeyScope, Role } from '../../database/index.ts'

/** Limits that an organization has beyond the common ones: requests per minute by limit name (contract 5). */
export type RateLimitOverrides = Readonly<Record<string, number>>

/** An API key that was presented and holds (spec 5). */
export interface KeyCredential {
  readonly kind: 'key'
  readonly organizationId: number
  readonly keyId: number
  readonly scope: KeyScope
  /** Set for profile-scoped keys only: the one profile it sees. */
  readonly walletProfileId: number | null
  readonly rateLimitOverrides: RateLimitOverrides
}

/** A user session that was presented and holds. Role and membership are read on each request. */
export interface UserCredential {
  readonly kind: 'user'
  readonly organizationId: number
  readonly userId: number
  readonly sessionId: number
  readonly role: Role
  readonly rateLimitOverrides: RateLimitOverrides
}

export type Credential = KeyCredential | UserCredential

/**
 * What a credential may see: one organization, and of it one profile or all (contract 1). Every query about wallets
 * and what hangs on them takes a sight; what lies outside answers like what does not exist.
 */
export interface Scope {
  readonly organizationId: number
  /** `null`: all profiles of the organization. */
  readonly walletProfileId: number | null
}

export function scopeOf(credential: Credential): Scope {
  const walletProfileId = credential.kind === 'key' ? credential.walletProfileId : null
  return { organizationId: credential.organizationId, walletProfileId }
}
