import type { Selectable } from 'kysely'
import type { DeliveryStatus, Schema, StoredAttempt } from '../../database/index.ts'
import { messageIdOf } from '../events/event-names.ts'

/** The fields that a delivery has in every status. */
interface DeliveryFields {
  readonly id: number
  readonly eventId: number
  /** The `webhook-id` header. */
  readonly messageId: string
  readonly event: string
  /** Oldest first. */
  readonly attempts: readonly StoredAttempt[]
  readonly createdAt: Date
}

/** The delivery of one event to one webhook (contract 12). Only a pending one has another attempt. */
export type Delivery = DeliveryFields &
  (
    | { readonly status: 'pending'; readonly nextAttemptAt: Date }
    | { readonly status: Exclude<DeliveryStatus, 'pending'> }
  )

export const DELIVERY_COLUMNS = [
  'id',
  'event_id',
  'event',
  'status',
  'attempts',
  'next_attempt_at',
  'created_at',
] as const

export function deliveryFrom(
  row: Pick<Selectable<Schema['webhook_deliveries']>, (typeof DELIVERY_COLUMNS)[number]>,
): Delivery {
  const { status } = row
  const fields = {
    id: row.id,
    eventId: row.event_id,
    messageId: messageIdOf(row.event_id),
    event: row.event,
    attempts: row.attempts,
    createdAt: row.created_at,
  }
  return status === 'pending' ? { ...fields, status, nextAttemptAt: row.next_attempt_at! } : { ...fields, status }
}
