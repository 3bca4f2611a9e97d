// Also tested in: webhooks/delivery/failing-endpoint.test.ts (an endpoint that really fails for three days is disabled).

import { beforeEach, expect, test } from 'vitest'
import { breakRows } from '../../../testing/database/break-rows.ts'
import { emittedEvents } from '../../../testing/ramp/emitted-events.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { openWebhookFixture } from '../../../testing/webhooks/webhook-fixture.ts'
import { WEBHOOK_DISABLE_AFTER_MS } from '../../kernel/index.ts'
import { relayEvents } from '../delivery/relay-events.ts'
import { disableFailingWebhooks } from './disable-failing.ts'
import { getWebhook } from './read-webhooks.ts'
import { updateWebhook } from './update-webhook.ts'

const yard = useFixture(openWebhookFixture)
beforeEach(() => yard.reset())

const disable = () => disableFailingWebhooks(yard.parts)
const read = (webhookId: number) => getWebhook(yard.parts.db, { organizationId: yard.organizationId, webhookId })
const ago = (milliseconds: number) => new Date(yard.parts.clock.now().getTime() - milliseconds)
const disabledEvents = async () => await emittedEvents(yard.parts.db, yard.organizationId, 'webhook')

/** A webhook with a pending delivery, whose attempts have failed for so long. */
async function failing(forMs: number, isExhausted = true): Promise<number> {
  const { id } = await yard.webhook('http://127.0.0.1:9/in?token=secret')
  await yard.emit(7, 'transaction.updated')
  await relayEvents(yard.parts)
  const columns = { failures: 8, failing_since: ago(forMs), failing_at: isExhausted ? ago(0) : null }
  await yard.parts.db.updateTable('webhooks').set(columns).where('id', '=', id).execute()
  return id
}

test('a webhook that failed for three days is disabled, its deliveries fail, and the event says since when and where', async () => {
  const id = await failing(WEBHOOK_DISABLE_AFTER_MS)
  const failingSince = ago(WEBHOOK_DISABLE_AFTER_MS).toISOString()
  const disabledAt = yard.parts.clock.now()
  expect(await disable()).toBe(1)
  expect(await read(id)).toMatchObject({ status: 'disabled', disabledBecause: 'failing', updatedAt: disabledAt })
  expect(await yard.deliveries(id)).toMatchObject([{ status: 'failed' }])
  const data = { webhookEndpointId: id, url: 'http://127.0.0.1:9', failingSince, disabledAt: disabledAt.toISOString() }
  expect(await disabledEvents()).toEqual([{ event: 'webhook.disabled', data }])
})

test('a webhook that fails for less time, or whose deliveries may still succeed, stays', async () => {
  const short = await failing(WEBHOOK_DISABLE_AFTER_MS - 1)
  const hopeful = await failing(2 * WEBHOOK_DISABLE_AFTER_MS, false)
  expect(await disable()).toBe(0)
  expect(await read(short)).toMatchObject({ status: 'failing' })
  expect(await read(hopeful)).toMatchObject({ status: 'active' })
  expect((await yard.deliveries(short))[0]).toMatchObject({ status: 'pending' })
})

test('two rounds at once, and a later one, disable a webhook once', async () => {
  await failing(WEBHOOK_DISABLE_AFTER_MS)
  await failing(WEBHOOK_DISABLE_AFTER_MS)
  const [first, second] = await Promise.all([disable(), disable()])
  expect(first + second).toBe(2)
  expect(await disable()).toBe(0)
  expect(await disabledEvents()).toHaveLength(2)
})

test('a webhook that cannot be disabled stops no other', async () => {
  const [bad, good] = [await failing(WEBHOOK_DISABLE_AFTER_MS), await failing(WEBHOOK_DISABLE_AFTER_MS)]
  const repair = await breakRows(yard.parts.db, { table: 'webhooks', when: `new.id = ${bad}` })
  await disable()
  expect([(await read(bad)).status, (await read(good)).status]).toEqual(['failing', 'disabled'])
  await repair()
  expect(await disable()).toBe(1)
})

test('a webhook that is enabled again during an attempt is not disabled for what failed before', async () => {
  const receiver = await yard.receiver()
  let fail = () => {}
  receiver.answer = () =>
    new Promise((resolve) => {
      fail = () => resolve(500)
    })
  const { id } = await yard.webhook(receiver.url)
  await yard.emit(7, 'transaction.updated')
  await relayEvents(yard.parts)
  const columns = { failures: 9, failing_since: ago(WEBHOOK_DISABLE_AFTER_MS), failing_at: ago(0) }
  await yard.parts.db.updateTable('webhooks').set(columns).where('id', '=', id).execute()
  const deliverer = yard.deliverer()
  await deliverer.runOnce()
  await expect.poll(() => receiver.received).toHaveLength(1)
  expect(await disable()).toBe(1)
  await updateWebhook(yard.parts, { organizationId: yard.organizationId, webhookId: id }, { enabled: true })
  fail()
  await deliverer.onIdle()
  expect(await read(id)).toMatchObject({ status: 'active', failingSince: null })
  expect(await disable()).toBe(0)
})
