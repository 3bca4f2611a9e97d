// Also tested in: main/compose/organization-erasure.test.ts (every column).

import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { useFixture } from '../../../testing/use-fixture.ts'
import { OBJECT, openWebhookFixture } from '../../../testing/webhooks/webhook-fixture.ts'
import { inTransaction } from '../../database/index.ts'
import { ERASURE_ROWS_BATCH, WEBHOOK_DISABLE_AFTER_MS } from '../../kernel/index.ts'
import { relayEvents } from '../delivery/relay-events.ts'
import { createWebhook } from './create-webhook.ts'
import { disableFailingWebhooks } from './disable-failing.ts'
import { WEBHOOK_ERASURE } from './erase-webhooks.ts'
import { failStoppedDeliveries } from './fail-stopped-deliveries.ts'
import { sendTestEvent } from './send-test-event.ts'

const yard = useFixture(openWebhookFixture)
beforeEach(() => yard.reset())

const at = new Date('2026-01-02T00:00:00Z')
const erase = () =>
  inTransaction(yard.parts.db, (tx) => WEBHOOK_ERASURE.erase(tx, { organizationId: yard.organizationId, at }))

test('a webhook that points where erased ones do is erased and ends, too, and is over with the next batch', async () => {
  const { organizationId, parts } = yard
  const url = 'https://erased.invalid/'
  await createWebhook(parts, { organizationId, url, events: ['*'], description: 'For Ada' })
  expect(await erase()).toBe(1)
  const rows = await parts.db.selectFrom('webhooks').selectAll().execute()
  expect(rows).toMatchObject([{ url, description: null, secret: Buffer.alloc(0), deleted_at: at }])
  expect(await erase()).toBe(0)
})

test('events name no receiver afterwards, whether they were published before or are later', async () => {
  const { organizationId, parts } = yard
  const { id: webhookId } = await yard.webhook('https://ada.example/secret')
  await sendTestEvent(parts, { organizationId, webhookId })
  const since = new Date(parts.clock.now().getTime() - WEBHOOK_DISABLE_AFTER_MS)
  const failing = { failures: 8, failing_since: since, failing_at: since }
  await parts.db.updateTable('webhooks').set(failing).execute()
  await relayEvents(parts)
  await disableFailingWebhooks(parts)
  expect(await erase()).toBe(3)
  await relayEvents(parts)
  const events = await parts.db.selectFrom('outbox').select(['event', 'data', 'body']).orderBy('id').execute()
  const erased = (event: string) => ({
    event,
    data: { webhookEndpointId: webhookId, url: null },
    body: expect.not.stringContaining('ada.example'),
  })
  expect(events).toMatchObject([erased('webhook.test'), erased('webhook.disabled')])
  expect(events.map(({ body }) => JSON.parse(body!).data.url)).toEqual([null, null])
  expect(await erase()).toBe(0)
})

test('one batch changes a limited number of rows, and what was pending fails', async () => {
  const { organizationId, parts } = yard
  const { id } = await yard.webhook('https://ada.example/')
  const more = 3
  const attempts = JSON.stringify([{ at: at.toISOString(), statusCode: 500, error: 'Ada', durationMs: 1 }])
  await sql`
    insert into webhook_deliveries (organization_id, webhook_id, event_id, event, object_type, object_id, status,
      next_attempt_at, created_at, attempts)
    select ${organizationId}, ${id}, -n, 'transaction.updated', ${OBJECT}, n, 'pending', ${at}, ${at}, ${attempts}
    from generate_series(1, ${ERASURE_ROWS_BATCH + more}::int) n
  `.execute(parts.db)
  expect(await erase()).toBe(1 + ERASURE_ROWS_BATCH)
  expect(await erase()).toBe(more)
  expect(await erase()).toBe(0)
  expect(await failStoppedDeliveries(parts, new AbortController().signal)).toBe(ERASURE_ROWS_BATCH + more)
})
