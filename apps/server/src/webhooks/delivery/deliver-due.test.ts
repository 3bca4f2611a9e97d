// Also tested in: webhooks/delivery/failing-endpoint.test.ts (an endpoint that keeps failing),
// webhooks/delivery/changed-endpoint.test.ts (attempts that end after the endpoint was changed),
// webhooks/delivery/signed-delivery.test.ts (signatures), webhooks/delivery/delivery-worker.test.ts (leases).

import { beforeEach, expect, test } from 'vitest'
import { breakRows } from '../../../testing/database/break-rows.ts'
import { loggedLines } from '../../../testing/logged-lines.ts'
import { useFixture } from '../../../testing/use-fixture.ts'
import { OBJECT, openWebhookFixture } from '../../../testing/webhooks/webhook-fixture.ts'
import { emit, inTransaction, labelOfPersonalFields } from '../../database/index.ts'
import {
  createSealer,
  keyRing,
  WEBHOOK_KEY_WAIT_MS,
  WEBHOOK_PAUSE_MS,
  WEBHOOK_RETRY_AFTER_MS,
} from '../../kernel/index.ts'
import { getWebhook } from '../endpoints/read-webhooks.ts'
import { rotateSecret } from '../endpoints/rotate-secret.ts'
import { createGuardedAgent } from '../guard/guarded-agent.ts'
import { claimDueWebhooks } from './claim-webhooks.ts'
import { deliverDue } from './deliver-due.ts'
import { relayEvents } from './relay-events.ts'
import { replayDelivery } from './replay-delivery.ts'

const yard = useFixture(openWebhookFixture)
beforeEach(() => yard.reset())

const EVENT = 'transaction.updated'
const NOT_OPENED = { statusCode: null, error: 'The event could not be decrypted.' }
const DAMAGED = Buffer.from('00112233445566778899aabbccddeeff00112233445566778899', 'hex')

/** Events of this many objects; the personal fields of the first one do not open. Returns the ids. */
async function oneDamaged(objects: number): Promise<number[]> {
  const ids: number[] = []
  for (let object = 1; object <= objects; object += 1) ids.push(...(await yard.emit(object, EVENT)))
  await setPersonal(ids[0]!, DAMAGED)
  return ids
}

const setPersonal = (eventId: number, personal: Buffer | null) =>
  yard.parts.db.updateTable('outbox').set({ personal }).where('id', '=', eventId).execute()
const rowOf = (id: number) =>
  yard.parts.db.selectFrom('webhooks').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const statusOf = async (webhookId: number) =>
  (await getWebhook(yard.parts.db, { organizationId: yard.organizationId, webhookId })).status

test('an event whose personal fields do not open delays no other, and says nothing about its endpoint', async () => {
  const receiver = await yard.receiver()
  const webhook = await yard.webhook(receiver.url)
  await oneDamaged(30)
  await yard.deliver()
  expect(receiver.received).toHaveLength(29)
  const [bad, ...good] = await yard.deliveries(webhook.id)
  expect(bad).toMatchObject({ status: 'pending', attempts: [NOT_OPENED] })
  expect(new Set(good.map(({ status }) => status))).toEqual(new Set(['delivered']))
  expect(await rowOf(webhook.id)).toMatchObject({ failures: 0, paused_until: null, lease: null })
})

test('an endpoint that recovers is not held up by it', async () => {
  const receiver = await yard.receiver()
  const webhook = await yard.webhook(receiver.url)
  await oneDamaged(30)
  const failing = { failures: 50, failing_since: yard.parts.clock.now() }
  await yard.parts.db.updateTable('webhooks').set(failing).where('id', '=', webhook.id).execute()
  await yard.deliver()
  expect(receiver.received).toHaveLength(29)
  expect(await rowOf(webhook.id)).toMatchObject({ failures: 0, lease: null })
})

test('it fails after all attempts, does not mark the webhook, and a replay delivers it once it is repaired', async () => {
  const receiver = await yard.receiver()
  const webhook = await yard.webhook(receiver.url)
  const [id = 0] = await oneDamaged(1)
  await yard.deliver()
  for (const pause of WEBHOOK_RETRY_AFTER_MS) {
    yard.parts.clock.advance(pause * 1.2)
    await yard.deliver()
  }
  const [delivery] = await yard.deliveries(webhook.id)
  expect(delivery).toMatchObject({ status: 'failed', attempts: Array(8).fill(NOT_OPENED) })
  expect(await statusOf(webhook.id)).toBe('active')
  await setPersonal(id, null)
  await replayDelivery(yard.parts, { organizationId: yard.organizationId, deliveryId: delivery!.id })
  await yard.deliver()
  expect(receiver.received).toHaveLength(1)
})

test('an event whose key this process lacks waits for one that has it, without an attempt', async () => {
  const receiver = await yard.receiver()
  const webhook = await yard.webhook(receiver.url)
  const keys = keyRing([
    ['b', 'b0'.repeat(32)],
    ['0', '5e'.repeat(32)],
  ])
  const events = createSealer(keys, 'events', yard.parts.random)
  const about = { organizationId: yard.organizationId, event: EVENT, objectType: OBJECT, objectId: 1 }
  const personal = events.seal('{"customer_name":"Ada"}', labelOfPersonalFields(about))
  const told = { ...about, data: { customer_name: null }, personal, at: yard.parts.clock.now() }
  await inTransaction(yard.parts.db, (tx) => emit(tx, [told]))
  await yard.emit(2, EVENT)
  await yard.deliver()
  expect(receiver.received).toHaveLength(1)
  expect(await yard.deliveries(webhook.id)).toMatchObject([
    {
      status: 'pending',
      attempts: [],
      nextAttemptAt: new Date(yard.parts.clock.now().getTime() + WEBHOOK_KEY_WAIT_MS),
    },
    { status: 'delivered' },
  ])
  yard.parts.clock.advance(WEBHOOK_KEY_WAIT_MS)
  const other = yard.deliverer({ events })
  await other.runOnce()
  await other.onIdle()
  expect(JSON.parse(receiver.received[1]!.body)).toMatchObject({ data: { customer_name: 'Ada' } })
  expect(await yard.deliveries(webhook.id)).toMatchObject([
    { status: 'delivered', attempts: [{ statusCode: 200 }] },
    { status: 'delivered' },
  ])
})

test('a signing secret that does not open fails the attempts of its webhook only, and marks it until it is rotated', async () => {
  const receiver = await yard.receiver()
  const webhook = await yard.webhook(receiver.url)
  const other = await yard.webhook((await yard.receiver()).url)
  await yard.parts.db.updateTable('webhooks').set({ secret: DAMAGED }).where('id', '=', webhook.id).execute()
  await yard.emit(1, EVENT)
  await yard.deliver()
  expect(await yard.deliveries(other.id)).toMatchObject([{ status: 'delivered' }])
  for (const pause of WEBHOOK_RETRY_AFTER_MS) {
    yard.parts.clock.advance(pause * 1.2)
    await yard.deliver()
  }
  const attempt = { statusCode: null, error: 'The signing secret could not be decrypted.' }
  expect(await yard.deliveries(webhook.id)).toMatchObject([{ status: 'failed', attempts: Array(8).fill(attempt) }])
  expect(receiver.received).toEqual([])
  expect(await statusOf(webhook.id)).toBe('failing')
  // The damaged secret is the previous one now, and does not sign.
  await rotateSecret(yard.parts, { organizationId: yard.organizationId, webhookId: webhook.id })
  const [delivery] = await yard.deliveries(webhook.id)
  await replayDelivery(yard.parts, { organizationId: yard.organizationId, deliveryId: delivery!.id })
  yard.parts.clock.advance(WEBHOOK_PAUSE_MS.max)
  await yard.deliver()
  expect(receiver.received).toHaveLength(1)
  expect(await statusOf(webhook.id)).toBe('active')
})

test('what does not open is logged once, however often its deliveries are attempted', async () => {
  const { log, lines, take } = loggedLines()
  const receiver = await yard.receiver()
  const webhook = await yard.webhook(receiver.url)
  const { organizationId } = yard
  const worker = yard.deliverer({ log })
  const attempt = async () => {
    await relayEvents(yard.parts)
    yard.parts.clock.advance(WEBHOOK_RETRY_AFTER_MS.at(-1)! * 1.2)
    await worker.runOnce()
    await worker.onIdle()
  }
  const [damaged] = await oneDamaged(1)
  for (let attempts = 0; attempts < 3; attempts += 1) await attempt()
  expect(lines).toMatchObject([
    {
      level: 50,
      organizationId,
      webhookId: webhook.id,
      eventId: damaged,
      msg: 'failed to decrypt the event of a delivery',
    },
  ])
  take()
  await setPersonal(damaged!, null)
  await attempt()
  expect(lines).toMatchObject([
    { eventId: damaged, failures: 3, msg: 'the event of a delivery can be decrypted again' },
  ])
  take()

  const setSecret = (secret: Buffer) =>
    yard.parts.db.updateTable('webhooks').set({ secret }).where('id', '=', webhook.id).execute()
  const { secret } = await rowOf(webhook.id)
  await setSecret(DAMAGED)
  for (let object = 2; object < 5; object += 1) await yard.emit(object, EVENT)
  for (let attempts = 0; attempts < 2; attempts += 1) await attempt()
  await setSecret(secret!)
  await attempt()
  expect(take()).toEqual([
    'failed to decrypt the signing secret of a webhook',
    'the signing secret of a webhook can be decrypted again',
  ])
})

test('a delivery that cannot be recorded is logged once for its webhook, and once when deliveries go on', async () => {
  const { log, lines, take } = loggedLines()
  const webhook = await yard.webhook((await yard.receiver()).url)
  const worker = yard.deliverer({ log })
  const repair = await breakRows(yard.parts.db, { table: 'webhook_deliveries', when: "new.status = 'delivered'" })
  await yard.emit(1, EVENT)
  await relayEvents(yard.parts)
  const attempt = async () => {
    yard.parts.clock.advance(WEBHOOK_PAUSE_MS.max)
    await worker.runOnce()
    await worker.onIdle()
  }
  for (let attempts = 0; attempts < 3; attempts += 1) await attempt()
  expect(lines).toMatchObject([{ webhookId: webhook.id, msg: 'failed to deliver to a webhook' }])
  take()
  await repair()
  await attempt()
  expect(lines).toMatchObject([{ webhookId: webhook.id, failures: 3, msg: 'deliveries to a webhook continue' }])
})

test('an error of one attempt is thrown, although it came while the loop was reading what else is due', async () => {
  const { parts } = yard
  await yard.webhook((await yard.receiver()).url)
  await yard.emit(1, EVENT)
  while ((await relayEvents(parts)) > 0);
  const [claimed] = await claimDueWebhooks(parts.db, 'lease', parts.clock.now(), { limit: 1 })
  const failed = Promise.withResolvers<void>()
  const db = parts.db.withPlugin({
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      if (result.rows.length === 0) await failed.promise
      return result
    },
  })
  const record = () => {
    setImmediate(failed.resolve)
    return Promise.reject(new Error('spoiled'))
  }
  const agent = createGuardedAgent(parts.rules)
  const { signal: stopping } = new AbortController()
  await expect(
    deliverDue({ ...parts, db, agent, record, stopping }, claimed!, { isOver: () => false }),
  ).rejects.toThrow('spoiled')
  await agent.close()
})
