import { sql } from 'kysely'
import { expect, inject, test } from 'vitest'
import { ringOf } from '../src/kernel/index.ts'
import { webhookParts } from '../src/main/compose/webhook-parts.ts'
import { createWebhook, relayEvents } from '../src/webhooks/index.ts'
import { tinyBenchEnvironment } from './bench-environment.ts'
import { seedDeliveredEvents } from './seed-delivered-events.ts'

test('delivered events of thirty days leave nothing to relay or to deliver, and the next event comes after them', async () => {
  const database = await tinyBenchEnvironment(inject('postgresUrl')).openDatabase()
  const { parts: common, organizationId } = database
  const config = { environment: 'sandbox' as const, webhookAllow: undefined }
  const parts = webhookParts(config, { encryption: ringOf('0e'.repeat(32)) }, common)
  for (let each = 0; each < 4; each += 1)
    await createWebhook(parts, { organizationId, url: `http://127.0.0.1:9/${each}`, events: ['*'] })
  await seedDeliveredEvents(database, 20)
  const { rows } = await sql`
    select (select count(*)::int from outbox where relayed_at is not null) as events, count(*)::int as deliveries,
      count(*) filter (where status = 'delivered')::int as delivered, count(distinct webhook_id)::int as webhooks,
      (select max(position) = (select last_position from event_relay) from outbox) as ends
    from webhook_deliveries
  `.execute(common.db)
  expect(rows).toEqual([{ events: 20, deliveries: 60, delivered: 60, webhooks: 3, ends: true }])
  expect(await relayEvents(parts)).toBe(0)
  await database.close()
})
