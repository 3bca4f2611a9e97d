// Attempts that end after their webhook was changed, by a person or by another process: what they say of the endpoint.

import { beforeEach, expect, test } from 'vitest'
import { breakRows } from '../../../testing/database/break-rows.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { openWebhookFixture } from '../../../testing/webhooks/webhook-fixture.ts'
import { updateWebhook } from '../endpoints/update-webhook.ts'
import { relayEvents } from './relay-events.ts'

const yard = useFixture(openWebhookFixture)
beforeEach(() => yard.reset())

const EVENT = 'transaction.updated'
const rowOf = (id: number) =>
  yard.parts.db.selectFrom('webhooks').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

/** Responds when it is let go, with the status given then. */
function held() {
  let letGo = (_status: number) => {}
  const status = new Promise<number>((resolve) => {
    letGo = resolve
  })
  return { status, letGo }
}

/**
 * Two attempts are in flight to the first endpoint when its webhook gets another URL; both fail, one before and one after
 * the first attempt to the new endpoint, which fails as well. The new endpoint then gives this status.
 */
async function movedDuringAttempts(status: number) {
  const [before, after] = [await yard.receiver(), await yard.receiver()]
  const [first, second, rest] = [held(), held(), held()]
  before.answer = () => (before.received.length === 1 ? first : second).status
  after.answer = async () => (after.received.length === 1 ? 500 : rest.status)
  const { id } = await yard.webhook(before.url)
  for (const object of [1, 2]) await yard.emit(object, EVENT)
  await relayEvents(yard.parts)
  const deliverer = yard.deliverer()
  await deliverer.runOnce()
  await expect.poll(() => before.received).toHaveLength(2)
  yard.parts.clock.advance(1)
  await updateWebhook(yard.parts, { organizationId: yard.organizationId, webhookId: id }, { url: after.url })
  for (let object = 3; object < 33; object += 1) await yard.emit(object, EVENT)
  await relayEvents(yard.parts)
  first.letGo(500)
  await expect.poll(async () => (await rowOf(id)).failures).toBe(1)
  second.letGo(500)
  await expect.poll(() => after.received.length).toBeGreaterThan(2)
  rest.letGo(status)
  await deliverer.onIdle()
  return { id, received: after.received.length }
}

test('a new endpoint that fails is paused, whatever attempts to the one before it end meanwhile', async () => {
  const { id, received } = await movedDuringAttempts(500)
  expect(received).toBeLessThan(20)
  expect((await rowOf(id)).paused_until).not.toBeNull()
})

test('a new endpoint that works is healthy, whatever attempts to the one before it end meanwhile', async () => {
  const { id, received } = await movedDuringAttempts(200)
  expect(received).toBe(30)
  expect(await rowOf(id)).toMatchObject({ failures: 0, failing_since: null, paused_until: null })
})

test('a success counts after a failure that could not be saved', async () => {
  const receiver = await yard.receiver()
  const rest = held()
  receiver.answer = () => (receiver.received.length === 1 ? 500 : rest.status)
  const { id } = await yard.webhook(receiver.url)
  for (const object of [1, 2]) await yard.emit(object, EVENT)
  await relayEvents(yard.parts)
  const since = new Date(yard.parts.clock.now().getTime() - 1_000)
  const failing = { failures: 1, failing_since: since, failing_at: since }
  await yard.parts.db.updateTable('webhooks').set(failing).where('id', '=', id).execute()
  const repair = await breakRows(yard.parts.db, { table: 'webhooks', when: 'new.failures = 2', sqlState: '57014' })
  const deliverer = yard.deliverer()
  await deliverer.runOnce()
  await expect.poll(async () => (await yard.deliveries(id)).flatMap(({ attempts }) => attempts)).toHaveLength(1)
  rest.letGo(200)
  await deliverer.onIdle()
  await repair()
  expect(await rowOf(id)).toMatchObject({ failures: 0, failing_since: null, failing_at: null })
})

test('a success counts although another process took the webhook over and saved a failure', async () => {
  const receiver = await yard.receiver()
  const rest = held()
  receiver.answer = () => rest.status
  const { id } = await yard.webhook(receiver.url)
  const failing = (failures: number) =>
    yard.parts.db
      .updateTable('webhooks')
      .set({ failures, failing_since: yard.parts.clock.now() })
      .where('id', '=', id)
      .execute()
  await failing(2)
  await yard.emit(1, EVENT)
  await relayEvents(yard.parts)
  const deliverer = yard.deliverer()
  await deliverer.runOnce()
  await expect.poll(() => receiver.received).toHaveLength(1)
  await failing(3)
  rest.letGo(200)
  await deliverer.onIdle()
  expect(await rowOf(id)).toMatchObject({ failures: 0, failing_since: null })
})
