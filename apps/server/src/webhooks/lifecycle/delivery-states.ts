import type { DeliveryStatus } from '../../database/index.ts'
import { type StateTransition, stateTable } from '../../kernel/index.ts'

export type DeliveryEvent =
  | 'succeeded'
  | 'attempt_failed'
  | 'attempts_exhausted'
  | 'deferred'
  | 'webhook_stopped'
  | 'replayed'

/** An event becomes a delivery in this state for each webhook that subscribes to it. */
export const QUEUED_STATUS: DeliveryStatus = 'pending'

/**
 * The life of a webhook delivery as data. `advance-deliveries.ts` runs on this table and is the only code that assigns a
 * status; the diagram in docs/transitions.md is made from it.
 */
export const DELIVERY = stateTable<StateTransition<DeliveryStatus, DeliveryEvent>>([
  { from: 'pending', event: 'succeeded', to: 'delivered' },
  // Another attempt is planned.
  { from: 'pending', event: 'attempt_failed', to: 'pending' },
  { from: 'pending', event: 'attempts_exhausted', to: 'failed' },
  // Sealed with a key that the process lacks.
  { from: 'pending', event: 'deferred', to: 'pending' },
  // The webhook was disabled or deleted.
  { from: 'pending', event: 'webhook_stopped', to: 'failed' },
  // Starts again, with a full set of attempts.
  { from: 'pending', event: 'replayed', to: 'pending' },
  { from: 'delivered', event: 'replayed', to: 'pending' },
  { from: 'failed', event: 'replayed', to: 'pending' },
])

/** The statuses that an event leads from, and the one that it leads to. */
export function deliveryChange(event: DeliveryEvent): { from: readonly DeliveryStatus[]; to: DeliveryStatus } {
  const from = DELIVERY.statesBefore(event)
  return { from, to: DELIVERY.find(from[0]!, event)!.to }
}
