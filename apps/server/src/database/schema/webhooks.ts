import type { Generated } from 'kysely'
import type { JsonColumn, Now, Optional, WithDefault } from './column-types.ts'
import type { AuditActorType } from './identity-audit.ts'

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
  held_events: {
    organization_id: number
    event_id: number
    /** `operation`, `wallet` or another type whose later events are held with it. */
    object_type: string
    object_id: number
    /** When it could not be published for the first time. */
    since: Date
    attempts: number
    /** When it is published again at the earliest. */
    next_attempt_at: Date
    error: string
  }
  event_relay: {
    /** Always true: there is one row. */
    id: WithDefault<boolean>
    /** The position of the newest relayed event. */
    last_position: number
    /** When it was relayed. */
    last_at: Optional<Date>
  }
  webhooks: {
    organization_id: number
    id: Generated<number>
    url: string
    /** The names that it subscribes to; `*` is every event. */
    events: string[]
    description: Optional<string>
    /** Sealed. */
    secret: Buffer
    /** Sealed: the secret before the last rotation. */
    previous_secret: Optional<Buffer>
    /** Until then deliveries are signed with it too. */
    previous_secret_until: Optional<Date>
    /** Failed attempts since the last success. */
    failures: WithDefault<number>
    /** The first of these failures; three days of them disable the webhook. */
    failing_since: Optional<Date>
    /** When a delivery ran out of attempts; null: none has since the last success. */
    failing_at: Optional<Date>
    /** Nothing is sent before that. */
    paused_until: Optional<Date>
    /** When it was disabled; null: it is enabled. */
    disabled_at: Optional<Date>
    /** Whether a member or the service disabled it. */
    disable_reason: Optional<'asked' | 'failing'>
    /** When it was disabled or deleted; null once what was pending then has failed. */
    stopped_at: Optional<Date>
    /** When a delivery is due next; null: nothing is waiting. */
    due_at: Optional<Date>
    /** When a process last began to deliver to it. */
    served_at: Optional<Date>
    /** The process that delivers to it now. */
    lease: Optional<string>
    /** Until then no other process delivers to it. */
    leased_until: Optional<Date>
    created_at: Now
    /** Null: created by an earlier version. */
    created_by_type: Optional<AuditActorType>
    created_by_id: Optional<number>
    updated_at: Date
    /** When it was deleted. */
    deleted_at: Optional<Date>
  }
  webhook_old_secrets: {
    organization_id: number
    id: Generated<number>
    webhook_id: number
    /** Sealed: a secret before `previous_secret` of its webhook. */
    secret: Buffer
    /** Until then deliveries are signed with it too. */
    valid_until: Date
  }
  webhook_deliveries: {
    organization_id: number
    id: Generated<number>
    webhook_id: number
    event_id: number
    event: string
    /** What the event is about; `object_id` is its id. */
    object_type: string
    object_id: number
    /** A state of delivery-states.ts. */
    status: DeliveryStatus
    /** How many attempts it has had since it was queued or replayed. */
    attempt_count: WithDefault<number>
    /** The last attempts, newest last. */
    attempts: JsonColumn<StoredAttempt[]>
    /** When the next attempt is due; null unless it is pending. */
    next_attempt_at: Optional<Date>
    created_at: Now
  }
}
