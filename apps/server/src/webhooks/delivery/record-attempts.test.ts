// Also tested in: webhooks/lifecycle/advance-deliveries.test.ts (what an attempt does to its delivery),
// webhooks/delivery/failing-endpoint.test.ts (the attempts of a delivery that keeps failing).

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { breakRows } from '../../../testing/database/break-rows.ts'
import { countStatements } from '../../../testing/index.ts'
import { openWebhookFixture, type WebhookFixture } from '../../../testing/webhooks/webhook-fixture.ts'
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

function succeeded(deliveryId: number) {
  const now = yard.parts.clock.now()
  return {
    deliveryId,
    began: { tries: 0, dueAt: now },
    attempt: { at: now.toISOString(), statusCode: 200, error: null, durationMs: 3 },
    outcome: { event: 'succeeded' as const },
  }
}

test('attempts that arrive together are written together, and each call resolves when its own has committed', async () => {
  const ids = await pending(40)
  const { statements } = await countStatements(() => Promise.all(ids.map((id) => record(succeeded(id)))))
  // The first goes alone; the others collect while it runs.
  expect(statements).toBe(2)
  expect((await yard.deliveries(webhookId)).map(({ status }) => status)).toEqual(Array(40).fill('delivered'))
})

test('a write that fails rejects its callers, and the next one is written', async () => {
  const [id] = await pending(1)
  const { schema } = yard.parts.db
  await schema.alterTable('webhook_deliveries').renameTo('elsewhere').execute()
  await expect(record(succeeded(id!))).rejects.toThrow('webhook_deliveries')
  await schema.alterTable('elsewhere').renameTo('webhook_deliveries').execute()
  await record(succeeded(id!))
  expect(await yard.deliveries(webhookId)).toMatchObject([{ status: 'delivered', attempts: [{ statusCode: 200 }] }])
})

test('an attempt that cannot be written rejects its own caller only', async () => {
  const ids = await pending(20)
  const bad = ids[7]!
  const repair = await breakRows(yard.parts.db, { table: 'webhook_deliveries', when: `new.id = ${bad}` })
  const written = await Promise.allSettled(ids.map((id) => record(succeeded(id))))
  await repair()
  expect(ids.filter((_, at) => written[at]!.status === 'rejected')).toEqual([bad])
  const stored = await yard.deliveries(webhookId)
  expect(stored.filter(({ status }) => status !== 'delivered').map(({ id }) => id)).toEqual([bad])
})
