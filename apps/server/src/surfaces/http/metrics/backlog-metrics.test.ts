import { Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { testDatabase } from '../../../../testing/index.ts'
import { registerBacklogMetrics } from './backlog-metrics.ts'

const NAMES = [
  'weir_open_breaks',
  'weir_events_waiting',
  'weir_webhook_deliveries_pending',
  'weir_webhook_overdue_seconds',
  'weir_webhooks_failing',
  'weir_webhooks_disabled',
  'weir_onramp_open',
  'weir_offramp_open',
  'weir_ramp_oldest_seconds',
]

test('reports every number, and NaN instead of an old one while the database is unavailable', async () => {
  const database = await testDatabase()
  const registry = new Registry()
  registerBacklogMetrics(registry, database.db)
  const quiet = await registry.metrics()
  await database.close()
  const away = await registry.metrics()
  for (const name of NAMES) {
    expect(quiet).toContain(`\n${name} 0\n`)
    expect(away).toContain(`\n${name} Nan\n`)
  }
})
