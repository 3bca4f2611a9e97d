import type { Now, Optional } from './column-types.ts'

export interface SurfacesTables {
  idempotency_keys: {
    organization_id: number
    key: string
    method: string
    path: string
    body_hash: Buffer
    /** The profile of the requesting key; null: a key or user with access to all profiles. */
    wallet_profile_id: Optional<number>
    /** Whose request is running; another request waits or takes over after `claimed_until`. */
    claim: string
    claimed_until: Date
    response_status: Optional<number>
    /** In clear only in rows of versions before sealing. */
    response_body: Optional<string>
    sealed_body: Optional<Buffer>
    created_at: Now
  }
}
