export { countPendingDeliveries, countWaitingEvents, type WebhookBacklog, webhookBacklog } from './backlog.ts'
export type { Delivery } from './delivery/delivery.ts'
export { createDeliveryWorker, type DeliveryWorker } from './delivery/delivery-worker.ts'
export { listDeliveries } from './delivery/list-deliveries.ts'
export { relayEvents } from './delivery/relay-events.ts'
export { replayDelivery } from './delivery/replay-delivery.ts'
export { signedPost } from './delivery/signed-post.ts'
export { startRelay } from './delivery/start-relay.ts'
export { type CreatedWebhook, createWebhook, type NewWebhook } from './endpoints/create-webhook.ts'
export { disableFailingWebhooks } from './endpoints/disable-failing.ts'
export { WEBHOOK_ERASURE } from './endpoints/erase-webhooks.ts'
export { failStoppedDeliveries } from './endpoints/fail-stopped-deliveries.ts'
export { getWebhook, listWebhooks } from './endpoints/read-webhooks.ts'
export { type RotatedSecret, rotateSecret } from './endpoints/rotate-secret.ts'
export { type QueuedTestEvent, sendTestEvent } from './endpoints/send-test-event.ts'
export { deleteWebhook, updateWebhook, type WebhookUpdate } from './endpoints/update-webhook.ts'
export type { Webhook } from './endpoints/webhook.ts'
export { webhookUse } from './endpoints/webhook-use.ts'
export { createEventFeed, type EventFeed, type EventSubscription } from './events/event-feed.ts'
export { EVENT_NAMES } from './events/event-names.ts'
export { eventRetentions } from './events/event-retentions.ts'
export { getEvent } from './events/get-event.ts'
export {
  type EventPage,
  type EventReader,
  type EventScope,
  listEvents,
  listEventsBefore,
  newestEvent,
  type PublishedEvent,
} from './events/list-events.ts'
export { type EventFilter, type FoundEvents, searchEvents } from './events/search-events.ts'
export type { AddressRules } from './guard/address-rules.ts'
export { urlProblem } from './guard/check-url.ts'
export { createGuardedAgent } from './guard/guarded-agent.ts'
export { createGuardedFetch } from './guard/guarded-fetch.ts'
export type { WebhookParts } from './parts.ts'
export { WEBHOOK_SEALED_COLUMNS } from './sealed-columns.ts'
