import { Gauge, type Registry } from 'prom-client'
import type { Database } from '../../../database/index.ts'
import { type RampBacklog, rampBacklog } from '../../../ramp/index.ts'
import { type WebhookBacklog, webhookBacklog } from '../../../webhooks/index.ts'

/**
 * What waits in the database, read when somebody looks: every process that has it tells the same numbers. Unknown, as
 * Prometheus writes it, while the database does not answer.
 */
export function registerBacklogMetrics(register: Registry, db: Database): void {
  const webhooks = coalesced(() => webhookBacklog(db, new Date()))
  const ramp = coalesced(() => rampBacklog(db, new Date()))
  const gauge = (name: string, help: string, read: () => Promise<number>) =>
    new Gauge({
      name,
      help,
      registers: [register],
      async collect() {
        this.set(await read().catch(() => Number.NaN))
      },
    })
  const ofWebhooks = (what: keyof WebhookBacklog) => async () => (await webhooks())[what]
  const ofRamp = (what: keyof RampBacklog) => async () => (await ramp())[what]

  gauge('weir_events_waiting', 'Events that were committed and not queued for anybody yet.', ofWebhooks('events'))
  gauge('weir_webhook_deliveries_pending', 'Deliveries of webhooks that are still attempted.', ofWebhooks('deliveries'))
  gauge(
    'weir_webhook_overdue_seconds',
    'For how long a delivery to a webhook that is well has been due without being sent.',
    ofWebhooks('overdueSeconds'),
  )
  gauge('weir_webhooks_failing', 'Webhooks whose last attempt failed.', ofWebhooks('failing'))
  gauge('weir_webhooks_disabled', 'Webhooks that were disabled because they failed for days.', ofWebhooks('disabled'))
  gauge('weir_onramp_open', 'On-ramp transactions under way.', ofRamp('onramp'))
  gauge('weir_offramp_open', 'Off-ramp transactions under way.', ofRamp('offramp'))
  gauge('weir_ramp_oldest_seconds', 'Age of the oldest ramp transaction under way.', ofRamp('oldestSeconds'))
}

/** Whoever asks while an answer is on its way gets that one. */
function coalesced<T>(read: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined
  return () => {
    running ??= read().finally(() => {
      running = undefined
    })
    return running
  }
}
