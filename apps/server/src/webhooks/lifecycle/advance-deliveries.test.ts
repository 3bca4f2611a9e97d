// Also tested in: webhooks/delivery/relay-events.test.ts (each event becomes a delivery),
// webhooks/delivery/replay-delivery.test.ts (replays), webhooks/endpoints/fail-stopped-deliveries.test.ts (a stopped webhook).

import { beforeEach, expect, test } from 'vitest'
import { useFixture } from '../../../testing/use-fixture.ts'
import { openWebhookFixture } from '../../../testing/webhooks/webhook-fixture.ts'
import { inTransaction } from '../../database/index.ts'
import { WEBHOOK_ATTEMPTS_STORED_MAX } from '../../kernel/index.ts'
import { relayEvents } from '../delivery/relay-events.ts'
import {
  type AttemptOutcome,
  advanceAttempted,
  deferDelivery,
  failPendingDeliveries,
  replayStored,
} from './advance-deliveries.ts'

const yard = useFixture(openWebhookFixture)
let webhookId: number
beforeEach(async () => {
  await yard.reset()
  webhookId = (await yard.webhook('http://127.0.0.1:9/')).id
})

/** The ids of new pending deliveries. */
async function pending(count: number): Promise<number[]> {
  await yard.emit(7, ...Array(count).fill('transaction.updated'))
  await relayEvents(yard.parts)
  return (await yard.deliveries(webhookId)).map(({ id }) => id)
}

const SUCCEEDED: AttemptOutcome = { event: 'succeeded' }
const EXHAUSTED: AttemptOutcome = { event: 'attempts_exhausted' }
const failed = (): AttemptOutcome => ({
  event: 'attempt_failed',
  retryAt: new Date(yard.parts.clock.now().getTime() + 5_000),
})

function attempted(outcome: AttemptOutcome, statusCode = outcome === SUCCEEDED ? 200 : 500) {
  const at = yard.parts.clock.now().toISOString()
  return { attempt: { at, statusCode, error: null, durationMs: 3 }, outcome }
}

/** A delivery as an attempt finds it. */
async function found(deliveryId: number) {
  const row = await yard.parts.db
    .selectFrom('webhook_deliveries')
    .selectAll()
    .where('id', '=', deliveryId)
    .executeTakeFirstOrThrow()
  return { tries: row.attempt_count, dueAt: row.next_attempt_at ?? yard.parts.clock.now() }
}

/** An attempt that finds the delivery as it is now. */
async function advance(deliveryId: number, ...attempt: Parameters<typeof attempted>): Promise<void> {
  const began = await found(deliveryId)
  await advanceAttempted(yard.parts.db, [{ deliveryId, began, ...attempted(...attempt) }])
}

test('a failed attempt plans the next one of its delivery, and changes no other', async () => {
  const [failing, other] = await pending(2)
  const outcome = failed()
  await advance(failing!, outcome)
  const [first, second] = await yard.deliveries(webhookId)
  expect(first).toMatchObject({
    status: 'pending',
    attempts: [attempted(outcome).attempt],
    nextAttemptAt: outcome.event === 'attempt_failed' && outcome.retryAt,
  })
  expect(second).toMatchObject({ id: other, status: 'pending', attempts: [] })
})

test('a delivery has no next attempt once one succeeded or the last one failed', async () => {
  const [delivered, exhausted] = await pending(2)
  await advance(delivered!, failed())
  await advance(delivered!, SUCCEEDED)
  await advance(exhausted!, EXHAUSTED)
  const [first, second] = await yard.deliveries(webhookId)
  expect(first).toMatchObject({ status: 'delivered', attempts: [{ statusCode: 500 }, { statusCode: 200 }] })
  expect(second).toMatchObject({ status: 'failed', attempts: [{ statusCode: 500 }] })
  for (const delivery of [first, second]) expect(delivery).not.toHaveProperty('nextAttemptAt')
})

test('a late failure of a process that was considered dead does not undo a delivery', async () => {
  const [id] = await pending(1)
  await advance(id!, SUCCEEDED)
  for (const outcome of [failed(), EXHAUSTED]) await advance(id!, outcome)
  const [delivery] = await yard.deliveries(webhookId)
  expect(delivery!.attempts.map(({ statusCode }) => statusCode)).toEqual([200, 500, 500])
  expect(delivery).toMatchObject({ status: 'delivered' })
  expect(delivery).not.toHaveProperty('nextAttemptAt')
})

test('a success that comes after its webhook was stopped is only listed: the table leads nowhere from failed', async () => {
  const { organizationId } = yard
  const [id] = await pending(1)
  const began = await found(id!)
  await inTransaction(yard.parts.db, (tx) => failPendingDeliveries(tx, { organizationId, webhookId }, 10))
  const statuses = await advanceAttempted(yard.parts.db, [{ deliveryId: id!, began, ...attempted(SUCCEEDED) }])
  expect(statuses.get(id!)).toBe('failed')
  expect(await yard.deliveries(webhookId)).toMatchObject([{ status: 'failed', attempts: [{ statusCode: 200 }] }])
  expect((await found(id!)).tries).toBe(0)
})

test('a failure that began before a replay, or before another process made the attempt, is only listed', async () => {
  const { db, clock } = yard.parts
  const [replayed, attemptedTwice] = await pending(2)
  const before = { replayed: await found(replayed!), twice: await found(attemptedTwice!) }
  clock.advance(1)
  await inTransaction(db, (tx) =>
    replayStored(tx, { organizationId: yard.organizationId, deliveryId: replayed! }, clock.now()),
  )
  await advance(attemptedTwice!, failed(), 501)
  const [, planned] = await yard.deliveries(webhookId)
  await advanceAttempted(db, [
    { deliveryId: replayed!, began: before.replayed, ...attempted(EXHAUSTED) },
    { deliveryId: attemptedTwice!, began: before.twice, ...attempted(EXHAUSTED) },
  ])
  const [first, second] = await yard.deliveries(webhookId)
  expect(first).toMatchObject({ status: 'pending', nextAttemptAt: clock.now(), attempts: [{ statusCode: 500 }] })
  expect(second).toEqual({ ...planned, attempts: [expect.anything(), attempted(EXHAUSTED).attempt] })
  expect([(await found(replayed!)).tries, (await found(attemptedTwice!)).tries]).toEqual([0, 1])
})

test('the newest attempts are kept, up to a limit', async () => {
  const [id] = await pending(1)
  for (let turn = 0; turn < WEBHOOK_ATTEMPTS_STORED_MAX + 2; turn += 1) await advance(id!, failed(), 500 + turn)
  const [delivery] = await yard.deliveries(webhookId)
  expect(delivery!.attempts.map(({ statusCode }) => statusCode)).toEqual(
    Array.from({ length: WEBHOOK_ATTEMPTS_STORED_MAX }, (_, each) => 502 + each),
  )
})

test('a stopped webhook fails its pending deliveries only, and each of them can be replayed', async () => {
  const { db, clock } = yard.parts
  const { organizationId } = yard
  const ids = await pending(2)
  await advance(ids[0]!, SUCCEEDED)
  const statuses = async () => (await yard.deliveries(webhookId)).map(({ status }) => status)
  await inTransaction(db, (tx) => failPendingDeliveries(tx, { organizationId, webhookId }, 10))
  expect(await statuses()).toEqual(['delivered', 'failed'])
  for (const deliveryId of ids) {
    const row = await inTransaction(db, (tx) => replayStored(tx, { organizationId, deliveryId }, clock.now()))
    expect(row).toMatchObject({ id: deliveryId, attempt_count: 0, next_attempt_at: clock.now() })
  }
  expect(await statuses()).toEqual(['pending', 'pending'])
})

test('deferring a delivery counts no attempt, and a finished delivery stays finished', async () => {
  const { db, clock } = yard.parts
  const { organizationId } = yard
  const [id, done] = await pending(2)
  await advance(done!, SUCCEEDED)
  const at = new Date(clock.now().getTime() + 60_000)
  for (const deliveryId of [id!, done!]) await deferDelivery(db, { organizationId, deliveryId }, at)
  await deferDelivery(db, { organizationId: organizationId + 1, deliveryId: id! }, clock.now())
  const [first, second] = await yard.deliveries(webhookId)
  expect(first).toMatchObject({ status: 'pending', attempts: [], nextAttemptAt: at })
  expect(second).toMatchObject({ status: 'delivered' })
  expect(second).not.toHaveProperty('nextAttemptAt')
})
