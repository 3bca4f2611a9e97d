import { afterEach, beforeEach, expect, test } from 'vitest'
import { openWebhookFixture, type WebhookFixture } from '../../testing/webhooks/webhook-fixture.ts'
import { PENDING_COUNTED_MAX, WEBHOOK_LEASE_MS } from '../kernel/index.ts'
import { countPendingDeliveries, countWaitingEvents, webhookBacklog } from './backlog.ts'
import { claimDueWebhooks } from './delivery/claim-webhooks.ts'
import { relayEvents } from './delivery/relay-events.ts'

let yard: WebhookFixture
beforeEach(async () => {
  yard = await openWebhookFixture()
})
afterEach(() => yard.close())

const backlog = async () => ({
  events: await countWaitingEvents(yard.parts.db),
  deliveries: await countPendingDeliveries(yard.parts.db),
  ...(await webhookBacklog(yard.parts.db, yard.parts.clock.now())),
})
const NOTHING = { events: 0, eventSeconds: 0, held: 0, deliveries: 0, overdueSeconds: 0, failing: 0, disabled: 0 }

test('events to relay, due deliveries and failing webhooks are counted separately', async () => {
  expect(await backlog()).toEqual(NOTHING)
  const [well, ill] = [await yard.receiver(), await yard.receiver()]
  ill.answer = () => 500
  await yard.webhook(well.url)
  await yard.webhook(ill.url)

  await yard.emit(7, 'transaction.updated')
  expect(await backlog()).toEqual({ ...NOTHING, events: 1 })
  yard.parts.clock.advance(30_000)
  await yard.emit(8, 'transaction.updated')
  yard.parts.clock.advance(30_000)
  expect(await backlog()).toEqual({ ...NOTHING, events: 2, eventSeconds: 60 })
  await relayEvents(yard.parts)
  yard.parts.clock.advance(90_000)
  expect(await backlog()).toEqual({ ...NOTHING, deliveries: 4, overdueSeconds: 90 })
  await yard.deliver()
  yard.parts.clock.advance(90_000)
  expect(await backlog()).toEqual({ ...NOTHING, deliveries: 2, failing: 1 })
})

test('a delivery whose process renews no lease is overdue, and one that is being served is not', async () => {
  await yard.webhook((await yard.receiver()).url)
  await yard.emit(7, 'transaction.updated')
  await relayEvents(yard.parts)
  expect(await claimDueWebhooks(yard.parts.db, 'dead', yard.parts.clock.now(), { limit: 10 })).toHaveLength(1)
  yard.parts.clock.advance(WEBHOOK_LEASE_MS - 1)
  expect((await backlog()).overdueSeconds).toBe(0)
  yard.parts.clock.advance(1)
  expect((await backlog()).overdueSeconds).toBe(WEBHOOK_LEASE_MS / 1_000)
})

test('what waits is counted up to a limit', async () => {
  await yard.emitMany(PENDING_COUNTED_MAX + 1)
  expect(await countWaitingEvents(yard.parts.db)).toBe(PENDING_COUNTED_MAX)
})
