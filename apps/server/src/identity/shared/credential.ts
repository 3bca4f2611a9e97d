import type { FactorKind, KeyPermission, KeyScope, Role, ServiceAccountRole } from '../../database/index.ts'

/** Rate limits of an organization that replace the common ones: requests per minute by limit name (contract 5). */
export type RateLimitOverrides = Readonly<Record<string, number>>

/** A valid API key (spec 5). */
export interface KeyCredential {
  readonly kind: 'key'
  readonly organizationId: number
  readonly keyId: number
  readonly scope: KeyScope
  /** Set for profile-scoped keys only: the one profile in scope. */
  readonly walletProfileId: number | null
  /** What the key was limited to; `null`: everything that its scope allows. */
  readonly permissions: readonly KeyPermission[] | null
  readonly rateLimitOverrides: RateLimitOverrides
}

/** A valid user session. Role and membership are read on each request. */
export interface UserCredential {
  readonly kind: 'user'
  readonly organizationId: number
  readonly userId: number
  readonly sessionId: number
  readonly role: Role
  /** Somebody else set the password: the session may only set another. */
  readonly passwordChangeRequired?: true
  /** The user's second factors; absent if there are none. */
  readonly secondFactor?: {
    readonly kinds: readonly FactorKind[]
    /** None was verified on this session recently: routes that need a step-up refuse it. */
    readonly isStale: boolean
  }
  /** The organization requires a second factor, and the user has none: the session may only enroll one. */
  readonly enrollmentRequired?: true
  /** The cookie of the request; absent for other clients. */
  readonly cookie?: {
    readonly hash: Buffer
    /** Another cookie has replaced it: for a moment it still reads, and opens nothing that needs a step-up. */
    readonly isReplaced: boolean
  }
  readonly rateLimitOverrides: RateLimitOverrides
}

/** A secret of a service account. It has no session: whatever needs a person refuses it. */
export interface ServiceAccountCredential {
  readonly kind: 'service_account'
  readonly organizationId: number
  readonly serviceAccountId: number
  readonly role: ServiceAccountRole
  /** The member who received the secret: their approval of what the account requests does not count. */
  readonly heldBy: number
  readonly rateLimitOverrides: RateLimitOverrides
}

export type Credential = KeyCredential | UserCredential | ServiceAccountCredential

/**
 * What a credential may access: one organization, and in it one profile or all (contract 1). Every query about wallets
 * and their data takes a scope; anything outside it looks like it does not exist.
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
