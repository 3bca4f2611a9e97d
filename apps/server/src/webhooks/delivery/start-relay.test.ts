import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { until } from '../../../testing/index.ts'
import { OBJECT, openWebhookFixture, type WebhookFixture } from '../../../testing/webhooks/webhook-fixture.ts'
import { createPeriodicRunner, emit, inTransaction, type PeriodicRunner } from '../../database/index.ts'
import { silentLog, systemClock } from '../../kernel/index.ts'
import { startRelay } from './start-relay.ts'

let yard: WebhookFixture
let runner: PeriodicRunner
let relay: { stop(): void }
let relayed = 0

beforeEach(async () => {
  yard = await openWebhookFixture()
  runner = createPeriodicRunner({ databaseUrl: yard.database.url, log: silentLog, clock: systemClock })
  relayed = 0
  let isFirstRoundOver = false
  const hourly: PeriodicRunner = {
    ...runner,
    everywhere: (job, _seconds, handler) =>
      runner.everywhere(job, 3_600, async (signal, moved) => {
        await handler(signal, moved)
        isFirstRoundOver = true
      }),
  }
  relay = startRelay(hourly, yard.parts, { role: 'all', onRelayed: () => (relayed += 1) })
  await until(() => isFirstRoundOver)
})
afterEach(async () => {
  relay.stop()
  await runner.stop()
  await yard.close()
})

test('an event that this process writes is relayed without waiting for the poll', async () => {
  await yard.emit(7, 'transaction.updated')
  await until(() => relayed === 1)
})

test('an event is relayed although its transaction commits after the first look', async () => {
  await inTransaction(yard.parts.db, async (tx) => {
    const at = yard.parts.clock.now()
    const event = { event: 'transaction.updated', objectType: OBJECT, objectId: 8, data: { transaction_id: 8 }, at }
    await emit(tx, [{ organizationId: yard.organizationId, ...event }])
    await pause(15)
  })
  await until(() => relayed === 1)
})

test('once stopped, it relays nothing', async () => {
  relay.stop()
  await yard.emit(9, 'transaction.updated')
  await pause(50)
  expect(relayed).toBe(0)
})
