import type { Generated } from 'kysely'
import type { JsonColumn, Now, Optional, WithDefault } from './column-types.ts'
import type { AuditActorType } from './identity.ts'

export type DeliveryStatus = 'pending' | 'delivered' | 'failed'

/** One delivery attempt of a webhook, as stored in its delivery; `at` is an ISO time. */
export interface StoredAttempt {
  readonly at: string
  readonly statusCode: number | null
  readonly error: string | null
  readonly durationMs: number
}

export interface WebhooksTables {
  deleted_events: {
    organization_id: number
    /** The newest event that was deleted because of its age. */
    last_event_id: number
  }
  event_relay: { id: WithDefault<boolean>; last_position: number; last_at: Optional<Date> }
  webhooks: {
    organization_id: number
    id: Generated<number>
    url: string
    events: string[]
    description: Optional<string>
    /** Sealed. */
    secret: Buffer
    previous_secret: Optional<Buffer>
    previous_secret_until: Optional<Date>
    failures: WithDefault<number>
    failing_since: Optional<Date>
    failing_at: Optional<Date>
    paused_until: Optional<Date>
    disabled_at: Optional<Date>
    disable_reason: Optional<'asked' | 'failing'>
    /** When a delivery is due next; null: nothing is waiting. */
    due_at: Optional<Date>
    lease: Optional<string>
    leased_until: Optional<Date>
    created_at: Now
    /** Null: created by an earlier version. */
    created_by_type: Optional<AuditActorType>
    created_by_id: Optional<number>
    updated_at: Date
    deleted_at: Optional<Date>
  }
  webhook_deliveries: {
    organization_id: number
    id: Generated<number>
    webhook_id: number
    event_id: number
    event: string
    object_type: string
    object_id: number
    status: DeliveryStatus
    attempt_count: WithDefault<number>
    /** The last attempts, newest last. */
    attempts: JsonColumn<StoredAttempt[]>
    next_attempt_at: Optional<Date>
    created_at: Now
  }
}
