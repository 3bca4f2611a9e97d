import { Gauge, type Registry } from 'prom-client'
import type { Database } from '../../../database/index.ts'
import { type AuditBacklog, auditBacklog, erasureBacklogSeconds } from '../../../identity/index.ts'
import { countOpenBreaks } from '../../../ledger/index.ts'
import { type RampBacklog, rampBacklog } from '../../../ramp/index.ts'
import {
  countPendingDeliveries,
  countWaitingEvents,
  type WebhookBacklog,
  webhookBacklog,
} from '../../../webhooks/index.ts'
import { type SharedReadOptions, sharedRead } from './shared-read.ts'

/**
 * Gauges of pending work in the database, read on each scrape: every process on one database reports the same numbers.
 * NaN while the database is unavailable.
 */
export function registerBacklogMetrics(
  register: Registry,
  db: Database,
  { timeoutMs }: Pick<SharedReadOptions, 'timeoutMs'> = {},
): void {
  const ofThisScrape = { freshMs: 0, timeoutMs }
  const webhooks = sharedRead(() => webhookBacklog(db, new Date()), ofThisScrape)
  const ramp = sharedRead(() => rampBacklog(db, new Date()), ofThisScrape)
  const audit = sharedRead(() => auditBacklog(db, new Date()), ofThisScrape)
  const gauge = (name: string, help: string, read: () => Promise<number>) =>
    new Gauge({
      name,
      help,
      registers: [register],
      async collect() {
        this.set(await read().catch(() => Number.NaN))
      },
    })
  const ofWebhooks = (field: keyof WebhookBacklog) => async () => (await webhooks())[field]
  const ofAudit = (field: keyof AuditBacklog) => async () => (await audit())[field]
  const ofRamp = (field: keyof RampBacklog) => async () => (await ramp())[field]

  gauge('weir_audit_entries_unchained', 'Audit entries that wait for their place in the chain.', ofAudit('unchained'))
  gauge(
    'weir_audit_anchor_overdue_seconds',
    'How long the oldest anchor of the audit log has been waiting to be sent outside.',
    ofAudit('anchorSeconds'),
  )
  gauge(
    'weir_erasure_oldest_seconds',
    'Age of the oldest erasure of an organization that has not ended, without those that wait for payments.',
    sharedRead(() => erasureBacklogSeconds(db, new Date()), ofThisScrape),
  )
  gauge(
    'weir_open_breaks',
    'Open differences between ledger and chain that nobody accepted.',
    sharedRead(() => countOpenBreaks(db), ofThisScrape),
  )
  gauge(
    'weir_events_waiting',
    'Committed events that are not yet queued for delivery, up to 100,000.',
    // By itself, like the deliveries: the ages must be there also when many wait.
    sharedRead(() => countWaitingEvents(db), ofThisScrape),
  )
  gauge(
    'weir_event_oldest_seconds',
    'Age of the oldest committed event that is not yet queued for delivery, without those that held events hold back.',
    ofWebhooks('eventSeconds'),
  )
  gauge(
    'weir_events_held',
    'Events that cannot be published: they, and the later events of their objects, wait.',
    ofWebhooks('held'),
  )
  gauge(
    'weir_webhook_deliveries_pending',
    'Webhook deliveries that are still being attempted, up to 100,000.',
    sharedRead(() => countPendingDeliveries(db), ofThisScrape),
  )
  gauge(
    'weir_webhook_overdue_seconds',
    'How long the most overdue delivery to a healthy webhook has been due.',
    ofWebhooks('overdueSeconds'),
  )
  gauge('weir_webhooks_failing', 'Webhooks whose last attempt failed.', ofWebhooks('failing'))
  gauge('weir_webhooks_disabled', 'Webhooks that were disabled after failing for days.', ofWebhooks('disabled'))
  gauge('weir_onramp_open', 'On-ramp transactions in progress.', ofRamp('onramp'))
  gauge('weir_offramp_open', 'Off-ramp transactions in progress.', ofRamp('offramp'))
  gauge('weir_ramp_oldest_seconds', 'Age of the oldest ramp transaction in progress.', ofRamp('oldestSeconds'))
  gauge(
    'weir_deposits_waiting_seconds',
    'Age of the oldest deposit at a deposit address that could not be recorded, or passed to the banking partner, yet.',
    ofRamp('depositSeconds'),
  )
  gauge(
    'weir_wallets_quarantined',
    'Wallets that could not be settled and wait for another attempt.',
    sharedRead(() => countQuarantined(db), ofThisScrape),
  )
}

async function countQuarantined(db: Database): Promise<number> {
  const { count } = await db
    .selectFrom('quarantined_wallets')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}
