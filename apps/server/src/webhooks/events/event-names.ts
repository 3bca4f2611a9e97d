/** Everything that is told (contract 12), in the order of the documentation. */
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
] as const

/** The event of `POST /:id/test`: it goes to that webhook and to no other, whatever its filter. */
export const TEST_EVENT = 'webhook.test' satisfies (typeof EVENT_NAMES)[number]
/** A webhook was disabled: its organization's other webhooks are told, whatever their filter (contract 12). */
export const DISABLED_EVENT = 'webhook.disabled' satisfies (typeof EVENT_NAMES)[number]

/** Objects of the organization rather than of a wallet: whoever sees its ramp sees their events (contract 11). */
export const RAMP_OBJECT_TYPES = ['customer', 'ramp_transaction'] as const

/** Whether a webhook wants an event. */
export function isSubscribed(
  webhook: { id: number; events: readonly string[] },
  event: { event: string; objectId: number },
) {
  if (event.event === TEST_EVENT) return webhook.id === event.objectId
  if (event.event === DISABLED_EVENT) return webhook.id !== event.objectId
  return webhook.events.includes('*') || webhook.events.includes(event.event)
}

/** How an event is named in the `webhook-id` header: the same in every attempt, and for every webhook. */
export function messageIdOf(eventId: number): string {
  return `evt_${eventId}`
}
