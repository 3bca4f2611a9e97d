import type { Generated } from 'kysely'
import type { Optional } from './column-types.ts'

/** A service account approves nothing and owns nothing, so it has one of two roles. */
export type ServiceAccountRole = 'admin' | 'viewer'

export interface ServiceAccountsTables {
  service_accounts: {
    organization_id: number
    id: Generated<number>
    name: string
    /** What it may do; it approves nothing. */
    role: ServiceAccountRole
    /** The networks (CIDR) that it may be used from; null: any. */
    allowed_addresses: Optional<string[]>
    created_at: Date
    /** The user who added it. */
    created_by: number
    /** Set when the account is deleted: none of its secrets works from then on. */
    deleted_at: Optional<Date>
  }
  service_account_secrets: {
    organization_id: number
    id: Generated<number>
    service_account_id: number
    /** A keyed hash: the secret itself is not stored. */
    secret_hash: Buffer
    /** The pepper of its hash; a use under another one replaces both. */
    pepper_id: string
    /** The visible part of the secret, for people who look for it. */
    preview: string
    created_at: Date
    /** The member who received it: approves nothing that it requests. */
    created_by: number
    /** Null: never. */
    expires_at: Optional<Date>
    /** When a rotation put another in its place; null: the current one. */
    replaced_at: Optional<Date>
    /** The last request with it. */
    last_used_at: Optional<Date>
    /** Where that request came from. */
    last_used_address: Optional<string>
  }
}
