import type { Now, Optional } from './column-types.ts'

export interface SurfacesTables {
  idempotency_keys: {
    organization_id: number
    key: string
    method: string
    path: string
    /** A hash of the body: the same key with another body is a conflict. */
    body_hash: Buffer
    /** The profile of the requesting key; null: a key or user with access to all profiles. */
    wallet_profile_id: Optional<number>
    /** Whose request is running; another request waits or takes over after `claimed_until`. */
    claim: string
    /** Until then the first request may be running. */
    claimed_until: Date
    /** The stored status; null while the request runs. */
    response_status: Optional<number>
    /** Plain text in rows of versions before sealing only. */
    response_body: Optional<string>
    /** Sealed: the response. */
    sealed_body: Optional<Buffer>
    created_at: Now
  }
}
