import type { Generated } from 'kysely'
import type { Optional, WithDefault } from './column-types.ts'

export type AuditActorType = 'user' | 'key' | 'system' | 'service_account'

export interface AuditTables {
  audit_log: {
    organization_id: number
    /** Counts the entries of an organization from 1, without a gap. */
    id: number
    /** When it happened. */
    at: Date
    /** Who did it: a user, a key, a service account or the service; `actor_id` is its id. */
    actor_type: AuditActorType
    actor_id: number | null
    /** The `operationId` of the route, or the name of what the service did. */
    action: string
    /** What it was done to; `object_id` is its id. */
    object_type: string
    object_id: number | null
    /** Where the request came from. */
    ip_address: string | null
    /** The fields of the request that the route names, as JSON. */
    details: string | null
    /** The hash of the entry before. */
    previous_hash: Buffer
    /** Over the entry and `previous_hash` (docs/audit-log.md). */
    hash: Buffer
  }
  audit_heads: {
    organization_id: number
    /** How many entries the log has. */
    entries: WithDefault<number>
    /** The hash of the last one. */
    hash: WithDefault<Buffer>
  }
  audit_anchors: {
    id: number
    /** When the heads were read. */
    at: Date
    /** Over the heads that moved since the anchor before, and `previous_digest`. */
    digest: Buffer
    /** The digest of the anchor before. */
    previous_digest: Buffer
    /** The answer of a time-stamping authority (RFC 3161); null without one. */
    token: Optional<Buffer>
    /** When it was published outside; null: not yet. */
    published_at: Optional<Date>
    /** The epoch of the database; null if a version made it that did not know. Ids begin a new range with each. */
    epoch: Optional<number>
  }
  audit_anchor_heads: {
    organization_id: number
    anchor_id: number
    /** How many entries the log had. */
    entries: number
    /** The hash of the last one. */
    hash: Buffer
  }
  unchained_audit_entries: {
    id: Generated<number>
    organization_id: number
    /** As in `audit_log`, like the rest: the entry gets its place in the chain after the commit. */
    at: Date
    /** Who did it; `actor_id` is its id. */
    actor_type: AuditActorType
    actor_id: number | null
    /** The `operationId` of the route. */
    action: string
    /** What it was done to; `object_id` is its id. */
    object_type: string
    object_id: number | null
    ip_address: string | null
    /** The fields of the request that the route names, as JSON. */
    details: string | null
  }
  security_events: {
    /** Begins with the time, so ids are in its order. */
    id: string
    /** The first of its refusals. */
    at: Date
    /** The last of them. */
    last_at: Date
    /** How many refusals of one kind the event stands for. */
    count: number
    /** The kind of event (docs/security-events.md). */
    type: string
    /** Null: nobody is known. */
    organization_id: number | null
    /** Whose credential it was, if that is known; `actor_id` is its id. */
    actor_type: AuditActorType | null
    actor_id: number | null
    address: string | null
    user_agent: string | null
    /** The path with its parameters unnamed. */
    route: string | null
    method: string | null
    /** The HTTP status of the response. */
    status: number | null
    /** The code of the error. */
    code: string | null
    /** Why it was refused, beyond the code. */
    reason: string | null
    request_id: string | null
  }
}
