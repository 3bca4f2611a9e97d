import { emit, type Transact, transactOn } from '../../database/index.ts'
import { Failure } from '../../kernel/index.ts'
import { messageIdOf, TEST_EVENT } from '../events/event-names.ts'
import type { WebhookParts } from '../parts.ts'
import { getWebhook, type WebhookRef } from './read-webhooks.ts'

/** A queued test event. */
export interface QueuedTestEvent {
  readonly eventId: number
  /** The `webhook-id` of its delivery. */
  readonly webhookId: string
}

/**
 * Queues a `webhook.test` event for one webhook, regardless of its filter; it is delivered and retried like any other
 * (contract 12). Errors: NOT_FOUND; CONFLICT if the webhook is disabled.
 */
export async function sendTestEvent(
  parts: Pick<WebhookParts, 'db' | 'clock'>,
  named: WebhookRef,
  transact: Transact<QueuedTestEvent> = transactOn(parts.db),
): Promise<QueuedTestEvent> {
  const { organizationId, webhookId } = named
  return await transact(async (tx) => {
    const { status, url } = await getWebhook(tx, named)
    if (status === 'disabled') throw new Failure('CONFLICT', { message: 'The webhook is disabled. Enable it first.' })
    const at = parts.clock.now()
    const data = { webhookEndpointId: webhookId, url, message: 'This is a test: your webhook works.' }
    const event = { organizationId, event: TEST_EVENT, objectType: 'webhook', objectId: webhookId, data, at }
    const [eventId = 0] = await emit(tx, [event])
    return { eventId, webhookId: messageIdOf(eventId) }
  })
}
