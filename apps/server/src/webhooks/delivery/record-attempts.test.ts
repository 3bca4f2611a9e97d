// Also tested in: webhooks/delivery/failing-endpoint.test.ts (the attempts of a delivery that keeps failing).

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { countStatements } from '../../../testing/index.ts'
import { openWebhookFixture, type WebhookFixture } from '../../../testing/webhook-fixture.ts'
import type { DeliveryStatus } from '../../database/index.ts'
import { WEBHOOK_ATTEMPTS_STORED_MAX } from '../../kernel/index.ts'
import { createAttemptRecorder, type RecordAttempt } from './record-attempts.ts'
import { relayEvents } from './relay-events.ts'

let yard: WebhookFixture
let webhookId: number
let record: RecordAttempt
beforeAll(async () => {
  yard = await openWebhookFixture()
})
afterAll(() => yard?.close())
beforeEach(async () => {
  await yard.reset()
  webhookId = (await yard.webhook('http://127.0.0.1:9/')).id
  record = createAttemptRecorder(yard.parts.db)
})

/** The ids of new pending deliveries. */
async function pending(count: number): Promise<number[]> {
  await yard.emit(7, ...Array(count).fill('transaction.updated'))
  await relayEvents(yard.parts)
  return (await yard.deliveries(webhookId)).map(({ id }) => id)
}

function attempted(deliveryId: number, status: DeliveryStatus, statusCode = status === 'delivered' ? 200 : 500) {
  const at = yard.parts.clock.now()
  const nextAttemptAt = status === 'pending' ? new Date(at.getTime() + 5_000) : null
  return {
    deliveryId,
    attempt: { at: at.toISOString(), statusCode, error: null, durationMs: 3 },
    status,
    nextAttemptAt,
  }
}

test('an attempt is stored with the status and the next attempt of its delivery, and changes no other', async () => {
  const [failing, other] = await pending(2)
  const { attempt, nextAttemptAt } = attempted(failing!, 'pending')
  await record(attempted(failing!, 'pending'))
  const [first, second] = await yard.deliveries(webhookId)
  expect(first).toMatchObject({ status: 'pending', attempts: [attempt], nextAttemptAt })
  expect(second).toMatchObject({ id: other, status: 'pending', attempts: [] })
  await record(attempted(failing!, 'delivered'))
  expect((await yard.deliveries(webhookId))[0]).toMatchObject({
    status: 'delivered',
    attempts: [{ statusCode: 500 }, { statusCode: 200 }],
    nextAttemptAt: null,
  })
})

test('a late failure of a process that was considered dead does not undo a delivery', async () => {
  const [id] = await pending(1)
  await record(attempted(id!, 'delivered'))
  await record(attempted(id!, 'pending'))
  expect(await yard.deliveries(webhookId)).toMatchObject([
    { status: 'delivered', attempts: [{ statusCode: 200 }, { statusCode: 500 }], nextAttemptAt: null },
  ])
})

test('attempts that arrive together are written together, and each call resolves when its own has committed', async () => {
  const ids = await pending(40)
  const { statements } = await countStatements(() => Promise.all(ids.map((id) => record(attempted(id, 'delivered')))))
  // The first goes alone; the others collect while it runs.
  expect(statements).toBe(2)
  expect((await yard.deliveries(webhookId)).map(({ status }) => status)).toEqual(Array(40).fill('delivered'))
})

test('the newest attempts are kept, up to a limit', async () => {
  const [id] = await pending(1)
  for (let turn = 0; turn < WEBHOOK_ATTEMPTS_STORED_MAX + 2; turn += 1)
    await record(attempted(id!, 'pending', 500 + turn))
  const [delivery] = await yard.deliveries(webhookId)
  expect(delivery!.attempts.map(({ statusCode }) => statusCode)).toEqual(
    Array.from({ length: WEBHOOK_ATTEMPTS_STORED_MAX }, (_, each) => 502 + each),
  )
})

test('a write that fails rejects its callers, and the next one is written', async () => {
  const [id] = await pending(1)
  const { schema } = yard.parts.db
  await schema.alterTable('webhook_deliveries').renameTo('elsewhere').execute()
  await expect(record(attempted(id!, 'delivered'))).rejects.toThrow('webhook_deliveries')
  await schema.alterTable('elsewhere').renameTo('webhook_deliveries').execute()
  await record(attempted(id!, 'delivered'))
  expect(await yard.deliveries(webhookId)).toMatchObject([{ status: 'delivered', attempts: [{ statusCode: 200 }] }])
})
