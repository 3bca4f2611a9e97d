import type { Schema } from '../../api/types.ts'

type EventName = Schema<'Event'>['event']

/** Every event that the service reports; the compiler finds one that is missing. */
const NAMES: Readonly<Record<EventName, true>> = {
  'operation.created': true,
  'operation.approved': true,
  'operation.rejected': true,
  'operation.executing': true,
  'operation.completed': true,
  'operation.failed': true,
  'allocation.created': true,
  'allocation.closed': true,
  'allocation.loss_booked': true,
  'allocation.fee_booked': true,
  'exit.pending': true,
  'exit.claimable': true,
  'exit.claimed': true,
  'break.opened': true,
  'break.accepted': true,
  'break.closed': true,
  'strategy.breaker_opened': true,
  'strategy.breaker_closed': true,
  'customer.approved': true,
  'customer.declined': true,
  'transaction.updated': true,
  'transaction.completed': true,
  'transaction.failed': true,
  'transaction.reversed': true,
  'offramp_transaction.updated': true,
  'offramp_transaction.completed': true,
  'offramp_transaction.failed': true,
  'offramp_transaction.reversed': true,
  'webhook.test': true,
  'webhook.disabled': true,
}
export const EVENT_NAMES = Object.keys(NAMES)

/** The events that a webhook can ask for; those about webhooks themselves are sent regardless. */
export const WEBHOOK_EVENTS = EVENT_NAMES.filter((name) => !name.startsWith('webhook.'))
