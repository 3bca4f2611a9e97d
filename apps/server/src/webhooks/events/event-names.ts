/** All event names (contract 12, and those of breaks), in the order of the documents. */
export const EVENT_NAMES = [
  'operation.created',
  'operation.approved',
  'operation.rejected',
  'operation.executing',
  'operation.completed',
  'operation.failed',
  'allocation.created',
  'allocation.closed',
  'customer.approved',
  'customer.declined',
  'transaction.updated',
  'transaction.completed',
  'transaction.failed',
  'transaction.reversed',
  'offramp_transaction.updated',
  'offramp_transaction.completed',
  'offramp_transaction.failed',
  'offramp_transaction.reversed',
  'webhook.test',
  'webhook.disabled',
  'strategy.breaker_opened',
  'strategy.breaker_closed',
  'break.opened',
  'break.accepted',
  'break.closed',
  'exit.pending',
  'exit.claimable',
  'exit.claimed',
  'allocation.loss_booked',
  'allocation.fee_booked',
] as const

/** The event of `POST /:id/test`; sent only to that webhook, regardless of its filter. */
export const TEST_EVENT = 'webhook.test' satisfies (typeof EVENT_NAMES)[number]
/** A webhook was disabled; sent to the organization's other webhooks, regardless of their filters (contract 12). */
export const DISABLED_EVENT = 'webhook.disabled' satisfies (typeof EVENT_NAMES)[number]

/** Object types that belong to the organization, not to a wallet: all its keys see their events (contract 11). */
export const RAMP_OBJECT_TYPES = ['customer', 'ramp_transaction'] as const

/** Whether a webhook receives an event. */
export function isSubscribed(
  webhook: { id: number; events: readonly string[] },
  event: { event: string; objectId: number },
) {
  if (event.event === TEST_EVENT) return webhook.id === event.objectId
  if (event.event === DISABLED_EVENT) return webhook.id !== event.objectId
  return webhook.events.includes('*') || webhook.events.includes(event.event)
}

/** The `webhook-id` header of an event: the same in every attempt and for every webhook. */
export function messageIdOf(eventId: number): string {
  return `evt_${eventId}`
}
