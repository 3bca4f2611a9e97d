import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { breakRows } from '../../../testing/database/break-rows.ts'
import { untilBlockedOrEnded } from '../../../testing/database/overlap.ts'
import { until } from '../../../testing/index.ts'
import { openWebhookFixture, type WebhookFixture } from '../../../testing/webhooks/webhook-fixture.ts'
import type { ReceivedWebhook } from '../../../testing/webhooks/webhook-receiver.ts'
import { inTransaction } from '../../database/index.ts'
import { WEBHOOK_LEASE_MS } from '../../kernel/index.ts'
import { createDeliveryWorker } from './delivery-worker.ts'
import { relayEvents } from './relay-events.ts'

let yard: WebhookFixture
beforeEach(async () => {
  yard = await openWebhookFixture()
})
afterEach(() => yard.close())

type TestEvent = { event: string; timestamp: string; data: { transaction_id?: number } }
const eventOf = ({ body }: ReceivedWebhook) => JSON.parse(body) as TestEvent
const objectOf = (received: ReceivedWebhook) => eventOf(received).data.transaction_id

describe('delivery across crashes and processes', () => {
  test('a crash between sending and recording leads to a second delivery, never to none', async () => {
    const sink = await yard.receiver()
    await yard.webhook(sink.url)
    await yard.emit(7, 'transaction.updated')
    await relayEvents(yard.parts)
    // It is sent, and the process ends before the response: its deliveries stay claimed.
    let sent = () => {}
    const wasSent = new Promise<void>((resolve) => {
      sent = resolve
    })
    sink.answer = () => {
      sent()
      return 'hang'
    }
    const doomed = yard.deliverer({ db: dyingDatabase(yard) })
    await doomed.runOnce()
    await wasSent
    sink.answer = () => 200
    await yard.deliver()
    expect(sink.received).toHaveLength(1)
    yard.parts.clock.advance(WEBHOOK_LEASE_MS)
    await yard.deliver()
    expect(sink.received).toHaveLength(2)
    expect(sink.received[0]!.headers['webhook-id']).toBe(sink.received[1]!.headers['webhook-id'])
    await sink.close()
    await doomed.onIdle()
  })

  test('a crash while an event gets its position leaves neither the position nor deliveries', async () => {
    const sink = await yard.receiver()
    await yard.webhook(sink.url)
    await yard.emit(7, 'transaction.updated')
    const shutDown = { table: 'webhook_deliveries', when: 'true', sqlState: '57P01' } as const
    const repair = await breakRows(yard.parts.db, shutDown)
    await expect(relayEvents(yard.parts)).rejects.toThrow('spoiled')
    await repair()
    await yard.deliver()
    expect(sink.received).toHaveLength(1)
  })

  test('two processes that relay the same event write one delivery, whichever is slower', async () => {
    const { id } = await yard.webhook('http://127.0.0.1:9/')
    await yard.emit(7, 'transaction.updated')
    const relays: Promise<number>[] = []
    await inTransaction(yard.parts.db, async (tx) => {
      // Both have begun before the first can write its delivery.
      await sql`lock table webhook_deliveries in share mode`.execute(tx)
      for (const sessions of [1, 2]) {
        const relay = relayEvents(yard.parts)
        relays.push(relay)
        await untilBlockedOrEnded(yard.parts.db, relay, sessions)
      }
    })
    expect(await Promise.all(relays)).toEqual([1, 0])
    expect(await yard.deliveries(id)).toHaveLength(1)
  })

  test('several processes share the work without repeating it, in order per object', async () => {
    const sink = await yard.receiver()
    const webhooks = await Promise.all(Array.from({ length: 6 }, (_, each) => yard.webhook(`${sink.url}/${each}`)))
    const steps = ['transaction.updated', 'transaction.completed', 'transaction.reversed']
    sink.answer = async () => {
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 4))
      return 200
    }
    const others = [yard.deliverer(), yard.deliverer()]
    for (const other of others) other.start()
    for (const step of steps) for (let object = 1; object <= 10; object += 1) await yard.emit(object, step)
    while ((await relayEvents(yard.parts)) > 0);
    for (const other of others) other.nudge()
    await until(() => sink.received.length >= webhooks.length * 30)
    await Promise.all(others.map((other) => other.stop()))
    expect(sink.received).toHaveLength(webhooks.length * 30)
    const order = new Map<string, string[]>()
    for (const received of sink.received) {
      const key = `${received.path} ${objectOf(received)}`
      order.set(key, [...(order.get(key) ?? []), eventOf(received).event])
    }
    expect(order.size).toBe(webhooks.length * 10)
    for (const [key, told] of order) expect(told, key).toEqual(steps)
  })

  test('the next event of an object waits for the response to its last one, and delays no other object', async () => {
    const sink = await yard.receiver()
    await yard.webhook(sink.url)
    await yard.emit(1, 'transaction.updated', 'transaction.completed')
    for (let object = 2; object <= 20; object += 1) await yard.emit(object, 'transaction.updated')
    const keys = () => sink.received.map((one) => `${objectOf(one)} ${eventOf(one).event}`)
    let release = () => {}
    const isReleased = new Promise<void>((resolve) => {
      release = resolve
    })
    sink.answer = async (received) => {
      if (objectOf(received) === 1) await isReleased
      return 200
    }
    const served = yard.deliver()
    await until(() => sink.received.some((one) => objectOf(one) === 20))
    expect(keys()).toContain('1 transaction.updated')
    expect(keys()).not.toContain('1 transaction.completed')
    release()
    await served
    expect(keys()).toContain('1 transaction.completed')
  })

  test('an event that arrives while a webhook is released is delivered at once', async () => {
    const sink = await yard.receiver()
    for (let each = 0; each < 5; each += 1) await yard.webhook(`${sink.url}/${each}`)
    const deliverer = yard.deliverer()
    deliverer.start()
    // The clock does not move, so a lease that is not served stays.
    for (let object = 1; object <= 60; object += 1) {
      await yard.emit(object, 'transaction.updated')
      await relayEvents(yard.parts)
      deliverer.nudge()
      await deliverer.runOnce()
    }
    await until(() => sink.received.length === 300, 20_000)
  })

  test('a receiver that hangs delays no other', async () => {
    const sink = await yard.receiver()
    sink.answer = ({ path }) => (path === '/dead' ? 'hang' : 200)
    await yard.webhook(`${sink.url}/dead`)
    await yard.webhook(`${sink.url}/alive`)
    const deliverer = yard.deliverer()
    for (let object = 1; object <= 50; object += 1) await yard.emit(object, 'transaction.updated')
    await relayEvents(yard.parts)
    await deliverer.runOnce()
    await until(() => sink.received.filter(({ path }) => path === '/alive').length === 50)
    expect(sink.received.filter(({ path }) => path === '/dead').length).toBeLessThanOrEqual(8)
    await sink.close()
    await deliverer.onIdle()
  })
})

test('a backlog keeps its lanes only while no other webhook waits, and is delivered once and in order', async () => {
  const sink = await yard.receiver()
  sink.answer = async ({ path }) => {
    if (path !== '/waiting') await new Promise((resolve) => setTimeout(resolve, 5))
    return 200
  }
  const backlog = ['/a', '/b']
  for (const path of backlog) await yard.webhook(`${sink.url}${path}`)
  const organizationId = await yard.neighbour()
  await yard.webhook(`${sink.url}/waiting`, { organizationId })
  for (let round = 0; round < 4; round += 1) await yard.emitMany(200)
  while ((await relayEvents(yard.parts)) > 0);
  const { moved, failed } = { moved() {}, failed() {} }
  const signs = { moved, succeeded() {}, failed, isLeft: () => false }
  const deliverer = createDeliveryWorker({ ...yard.parts, lanesMax: 2 }, signs)
  deliverer.start()
  await until(() => sink.received.length > 20)
  await yard.emitMany(1, organizationId)
  await relayEvents(yard.parts)
  await until(() => sink.received.some(({ path }) => path === '/waiting'), 20_000)
  expect(sink.received.length).toBeLessThan(1_500)
  await until(() => sink.received.length === 1_601, 60_000)
  await deliverer.stop()
  const events = await yard.parts.db.selectFrom('outbox').select(['id', 'object_id']).execute()
  for (const path of backlog) {
    const received = sink.received.filter((one) => one.path === path)
    const ids = received.map(({ headers }) => Number(String(headers['webhook-id']).slice('evt_'.length)))
    expect(new Set(ids).size).toBe(800)
    for (let object = 1; object <= 200; object += 1) {
      const own = events.filter((event) => event.object_id === object).map(({ id }) => id)
      const inOrder = ids.filter((id) => own.includes(id))
      expect(inOrder).toEqual(inOrder.toSorted((a, b) => a - b))
    }
  }
})

test('a deliverer reports each poll, each attempt that it records, and why a poll failed', async () => {
  const sink = await yard.receiver()
  await yard.webhook(sink.url)
  await yard.emit(7, 'transaction.updated')
  await relayEvents(yard.parts)
  const seen = { moved: 0, succeeded: 0, failed: [] as unknown[] }
  let defect: Error | undefined
  const now = (): Date => {
    if (defect) throw defect
    return yard.parts.clock.now()
  }
  const deliverer = createDeliveryWorker(
    { ...yard.parts, clock: { now } },
    {
      moved: () => (seen.moved += 1),
      succeeded: () => (seen.succeeded += 1),
      failed: (error) => seen.failed.push(error),
      isLeft: () => false,
    },
  )
  deliverer.start()
  await until(() => seen.moved === 1 && seen.succeeded > 2)
  await deliverer.onIdle()
  defect = new TypeError('a defect')
  await until(() => seen.failed.length > 0)
  const { succeeded } = seen
  await until(() => seen.failed.length > 2)
  expect(seen).toMatchObject({ moved: 1, succeeded })
  expect(new Set(seen.failed)).toEqual(new Set([defect]))
  // The database responds: a poll that times out is a failure of this work.
  const timeout = Object.assign(new Error('canceling statement due to statement timeout'), { code: '57014' })
  defect = timeout
  await until(() => seen.failed.includes(timeout))
  defect = undefined
  await until(() => seen.succeeded > succeeded)
  await deliverer.stop()
})

test('a deliverer claims nothing while its work is left to others, and is not silent', async () => {
  const sink = await yard.receiver()
  await yard.webhook(sink.url)
  await yard.emit(7, 'transaction.updated')
  await relayEvents(yard.parts)
  let isLeft = true
  let polls = 0
  const signs = { moved() {}, succeeded: () => (polls += 1), failed() {}, isLeft: () => isLeft }
  const deliverer = createDeliveryWorker(yard.parts, signs)
  expect([await deliverer.runOnce(), polls, sink.received]).toEqual([0, 1, []])
  isLeft = false
  expect(await deliverer.runOnce()).toBe(1)
  await deliverer.onIdle()
  expect(sink.received).toHaveLength(1)
  await deliverer.stop()
})

/** The database of a process that dies after sending: it claims and reads, but cannot record what was sent. */
function dyingDatabase({ parts: { db } }: WebhookFixture): typeof db {
  return new Proxy(db, {
    get(target, name) {
      const value = Reflect.get(target, name)
      if (name === 'executeQuery') {
        return (query: { sql: string }) => {
          if (query.sql.includes('update webhook_deliveries')) throw new Error('the process is dead')
          return Reflect.apply(value, target, [query])
        }
      }
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}
