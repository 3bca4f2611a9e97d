// Also tested in: surfaces/core/webhooks/webhooks.test.ts (deliveries are listed by status),
// webhooks/delivery/relay-events.test.ts (each event becomes a delivery).

import { beforeEach, expect, test } from 'vitest'
import { overlap } from '../../../testing/database/overlap.ts'
import { failingTransact } from '../../../testing/index.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { openWebhookFixture } from '../../../testing/webhooks/webhook-fixture.ts'
import { WEBHOOK_RETRY_AFTER_MS } from '../../kernel/index.ts'
import { getWebhook } from '../endpoints/read-webhooks.ts'
import { deleteWebhook, updateWebhook } from '../endpoints/update-webhook.ts'
import { claimDueWebhooks, releaseWebhook } from './claim-webhooks.ts'
import type { Delivery } from './delivery.ts'
import { relayEvents } from './relay-events.ts'
import { replayDelivery } from './replay-delivery.ts'

const yard = useFixture(openWebhookFixture)
beforeEach(() => yard.reset())

const replay = (deliveryId: number, organizationId = yard.organizationId) =>
  replayDelivery(yard.parts, { organizationId, deliveryId })
const named = (webhookId: number) => ({ organizationId: yard.organizationId, webhookId })

/** A webhook whose only event was delivered. */
async function delivered() {
  const receiver = await yard.receiver()
  const webhook = await yard.webhook(receiver.url)
  await yard.emit(7, 'transaction.updated')
  await yard.deliver()
  const [delivery] = await yard.deliveries(webhook.id)
  return { receiver, webhookId: webhook.id, delivery: delivery! }
}

test('a replayed delivery is sent again under the same id, with all attempts before it', async () => {
  const { receiver, webhookId, delivery } = await delivered()
  expect(delivery.status).toBe('delivered')
  expect(await replay(delivery.id)).toEqual({ ...delivery, status: 'pending', nextAttemptAt: yard.parts.clock.now() })
  receiver.answer = () => 500
  await yard.deliver()
  yard.parts.clock.advance(6_000)
  receiver.answer = () => 200
  await yard.deliver()
  expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual(Array(3).fill(delivery.messageId))
  const [after] = await yard.deliveries(webhookId)
  expect(after!.attempts.map(({ statusCode }) => statusCode)).toEqual([200, 500, 200])
})

/** Replays a delivery while its attempt is under way, which then gets this answer; the next attempts get `later`. */
async function replayedMeanwhile(tries: number, first: number, later = 200) {
  const receiver = await yard.receiver()
  const webhook = await yard.webhook(receiver.url)
  await yard.emit(7, 'transaction.updated')
  await relayEvents(yard.parts)
  await yard.parts.db.updateTable('webhook_deliveries').set({ attempt_count: tries }).execute()
  const [delivery] = await yard.deliveries(webhook.id)
  const arrived = Promise.withResolvers<void>()
  const answers = Promise.withResolvers<void>()
  receiver.answer = async () => {
    arrived.resolve()
    await answers.promise
    return first
  }
  const running = yard.deliver()
  await arrived.promise
  yard.parts.clock.advance(1)
  expect(await replay(delivery!.id)).toMatchObject({ status: 'pending', nextAttemptAt: yard.parts.clock.now() })
  receiver.answer = () => later
  answers.resolve()
  await running
  await yard.deliver()
  const row = await yard.parts.db.selectFrom('webhook_deliveries').selectAll().executeTakeFirstOrThrow()
  const { status } = await getWebhook(yard.parts.db, { organizationId: yard.organizationId, webhookId: webhook.id })
  return { receiver, row, webhook: status, statuses: row.attempts.map(({ statusCode }) => statusCode) }
}

test.each([
  ['first', 0],
  ['third', 2],
  ['last', WEBHOOK_RETRY_AFTER_MS.length],
])(
  'a replay while the %s attempt is under way and then fails is sent at once, with a full set of attempts',
  async (_which, tries) => {
    const { row, webhook, statuses } = await replayedMeanwhile(tries, 500, 503)
    expect(statuses).toEqual([500, 503])
    // No delivery of it ran out of attempts.
    expect(webhook).toBe('active')
    expect(row).toMatchObject({ status: 'pending', attempt_count: 1 })
    expect(row.next_attempt_at!.getTime() - yard.parts.clock.now().getTime()).toBeLessThan(20_000)
  },
)

test('a replay while an attempt is under way and then succeeds is done by it', async () => {
  const { receiver, row, statuses } = await replayedMeanwhile(WEBHOOK_RETRY_AFTER_MS.length, 200)
  expect(receiver.received).toHaveLength(1)
  expect({ status: row.status, statuses }).toEqual({ status: 'delivered', statuses: [200] })
})

test('two replays at once send the delivery once', async () => {
  const { receiver, delivery } = await delivered()
  await Promise.all([replay(delivery.id), replay(delivery.id)])
  await yard.deliver()
  expect(receiver.received).toHaveLength(2)
})

test('a delivery that is replayed while its webhook is released is not missed', async () => {
  const { webhookId, delivery } = await delivered()
  const { db, clock } = yard.parts
  await db.updateTable('webhooks').set({ due_at: clock.now() }).where('id', '=', webhookId).execute()
  const [claimed] = await claimDueWebhooks(db, 'mine', clock.now(), { limit: 1 })
  const release = overlap(db, () => releaseWebhook(db, claimed!))
  const ref = { organizationId: yard.organizationId, deliveryId: delivery.id }
  await replayDelivery(yard.parts, ref, release.transact)
  await release.outcome()
  const row = db.selectFrom('webhooks').select(['lease', 'due_at']).where('id', '=', webhookId)
  expect(await row.executeTakeFirst()).toEqual({ lease: null, due_at: clock.now() })
})

test('a delivery of another organization, of a deleted webhook or of none does not exist', async () => {
  const { webhookId, delivery } = await delivered()
  await expect(replay(delivery.id, yard.organizationId + 1)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await expect(replay(delivery.id + 1)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  expect(await yard.deliveries(webhookId)).toEqual([delivery])
  await deleteWebhook(yard.parts, named(webhookId))
  await expect(replay(delivery.id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
})

test('a delivery is not replayed while its webhook is disabled', async () => {
  const { webhookId, delivery } = await delivered()
  await updateWebhook(yard.parts, named(webhookId), { enabled: false })
  await expect(replay(delivery.id)).rejects.toMatchObject({ code: 'CONFLICT' })
  expect(await yard.deliveries(webhookId)).toEqual([delivery])
})

test('a delivery is replayed with what its caller commits, or not at all', async () => {
  const { webhookId, delivery } = await delivered()
  const transact = failingTransact<Delivery>(yard.parts.db, 'the response was not recorded')
  const replayed = replayDelivery(
    yard.parts,
    { organizationId: yard.organizationId, deliveryId: delivery.id },
    transact,
  )
  await expect(replayed).rejects.toThrow('not recorded')
  expect(await yard.deliveries(webhookId)).toEqual([delivery])
})
