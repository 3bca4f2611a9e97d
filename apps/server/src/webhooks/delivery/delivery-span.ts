import { operationTrace, type Span, type SpanOptions } from '../../kernel/index.ts'
import type { ClaimedWebhook } from './claim-webhooks.ts'
import type { DueDelivery } from './due-deliveries.ts'
import type { SendResult } from './send-webhook.ts'

/** One attempt at a delivery: the receiver's host, never its URL, which may hold a secret. */
export function deliverySpan({ organizationId, webhookId }: ClaimedWebhook, due: DueDelivery): SpanOptions {
  const isOfOperation = due.objectType === 'operation'
  return {
    name: 'webhook delivery',
    kind: 'client',
    parent: isOfOperation ? operationTrace(organizationId, due.objectId) : 'none',
    attributes: {
      'http.request.method': 'POST',
      'server.address': URL.canParse(due.url) ? new URL(due.url).hostname : undefined,
      'weir.organization_id': organizationId,
      ...(isOfOperation && { 'weir.operation_id': due.objectId }),
      'weir.webhook_id': webhookId,
      'weir.delivery_id': due.id,
      'weir.event': due.event,
      'weir.event_id': due.eventId,
      'weir.attempt': due.tries + 1,
    },
  }
}

export function recordResult(span: Span, { ok, statusCode }: Pick<SendResult, 'ok' | 'statusCode'>): void {
  span.set({ 'http.response.status_code': statusCode })
  if (!ok) span.fail(statusCode === null ? 'no_response' : String(statusCode))
}
