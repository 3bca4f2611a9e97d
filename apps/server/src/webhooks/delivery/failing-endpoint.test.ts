import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { anyState } from '../../../testing/operations/any-state.ts'
import { openWebhookFixture, type WebhookFixture } from '../../../testing/webhooks/webhook-fixture.ts'
import type { ReceivedWebhook } from '../../../testing/webhooks/webhook-receiver.ts'
import { WEBHOOK_RETRY_AFTER_MS } from '../../kernel/index.ts'
import { disableFailingWebhooks } from '../endpoints/disable-failing.ts'
import { getWebhook } from '../endpoints/read-webhooks.ts'
import { sendTestEvent } from '../endpoints/send-test-event.ts'
import { updateWebhook } from '../endpoints/update-webhook.ts'
import { JITTER } from './retry-schedule.ts'

let yard: WebhookFixture
beforeEach(async () => {
  yard = await openWebhookFixture()
})
afterEach(() => yard.close())

const eventOf = ({ body }: ReceivedWebhook) => JSON.parse(body) as { event: string; timestamp: string; data: object }

describe('a failure', () => {
  test('is retried after 5 s, 1 min, 5 min, 30 min, 2 h, 6 h and 24 h, then never', async () => {
    const sink = await yard.receiver()
    sink.answer = () => 500
    const webhook = await yard.webhook(sink.url)
    await yard.emit(7, 'transaction.updated')
    await yard.deliver()
    for (const [turn, pause] of WEBHOOK_RETRY_AFTER_MS.entries()) {
      const [delivery] = await yard.deliveries(webhook.id)
      expect(delivery).toMatchObject({ status: 'pending' })
      expect(delivery!.attempts).toHaveLength(turn + 1)
      const wait = anyState(delivery!).nextAttemptAt.getTime() - yard.parts.clock.now().getTime()
      // The attempt itself took a moment.
      expect(wait).toBeGreaterThanOrEqual(pause * (1 - JITTER))
      expect(wait).toBeLessThanOrEqual(pause * (1 + JITTER) + 10_000)
      yard.parts.clock.advance(wait - 1)
      await yard.deliver()
      expect(sink.received).toHaveLength(turn + 1)
      yard.parts.clock.advance(1)
      await yard.deliver()
      expect(sink.received).toHaveLength(turn + 2)
    }
    const [delivery] = await yard.deliveries(webhook.id)
    expect(delivery).toMatchObject({ status: 'failed' })
    expect(new Set(sink.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect(new Set(sink.received.map(({ body }) => body)).size).toBe(1)
    expect(await statusOf(webhook.id)).toBe('failing')
    yard.parts.clock.advance(30 * 86_400_000)
    await yard.deliver()
    expect(sink.received).toHaveLength(8)
  })

  test('is reported in a sentence, whatever its kind, and any status but 2xx is one', async () => {
    const sink = await yard.receiver()
    const closed = await yard.receiver()
    await closed.close()
    const kinds: [string, RegExp, number | null][] = [
      [`${sink.url}/302`, /Redirects are not followed/, 302],
      [`${sink.url}/404`, /The response status was 404/, 404],
      [`${sink.url}/503`, /The response status was 503/, 503],
      [`${closed.url}/`, /connection was refused/, null],
      ['https://10.1.2.3.nip.invalid/', /host name/, null],
      [sink.url.replace('http:', 'https:'), /TLS connection failed|closed before/, null],
    ]
    sink.answer = ({ path }) => Number(path.slice(1)) || 200
    for (const [url, error, statusCode] of kinds) {
      const webhook = await yard.webhook(url, { events: ['operation.failed'] })
      await sendTestEvent(yard.parts, { organizationId: yard.organizationId, webhookId: webhook.id })
      await yard.deliver()
      const [delivery] = await yard.deliveries(webhook.id)
      expect(delivery!.attempts[0], url).toMatchObject({ statusCode, error: expect.stringMatching(error) })
    }
  })

  test('does not block later events of its object; a success makes the receiver healthy again', async () => {
    const sink = await yard.receiver()
    sink.answer = ({ body }) => (JSON.parse(body).event === 'transaction.updated' ? 500 : 200)
    const webhook = await yard.webhook(sink.url)
    await yard.emit(7, 'transaction.updated', 'transaction.completed')
    await yard.deliver()
    expect((await yard.deliveries(webhook.id)).map(({ status }) => status)).toEqual(['pending', 'delivered'])
    expect(await statusOf(webhook.id)).toBe('active')
  })

  test('repeated five times pauses the receiver, which is then probed with one request', async () => {
    const sink = await yard.receiver()
    sink.answer = () => 500
    const webhook = await yard.webhook(sink.url)
    for (let object = 1; object <= 40; object += 1) await yard.emit(object, 'transaction.updated')
    await yard.deliver()
    const atFirst = sink.received.length
    expect(atFirst).toBeGreaterThanOrEqual(5)
    // Deliveries in flight with the fifth failure, and those that replaced the first four.
    expect(atFirst).toBeLessThanOrEqual(12)
    await yard.deliver()
    expect(sink.received.length).toBe(atFirst)
    // The longest pause is a minute from the last response, which arrived a little later by the machine's clock.
    yard.parts.clock.advance(70_000)
    await yard.deliver()
    expect(sink.received.length).toBe(atFirst + 1)
    sink.answer = () => 200
    yard.parts.clock.advance(6 * 60_000)
    await yard.deliver()
    expect((await yard.deliveries(webhook.id)).every(({ status }) => status === 'delivered')).toBe(true)
  })

  test('for three days disables the webhook and emits webhook.disabled to the others, whatever their filter', async () => {
    const sink = await yard.receiver()
    sink.answer = ({ path }) => (path === '/bad' ? 500 : 200)
    const bad = await yard.webhook(`${sink.url}/bad`)
    await yard.webhook(`${sink.url}/good`, { events: ['operation.failed'] })
    await yard.emit(7, 'transaction.updated')
    const began = yard.parts.clock.now().getTime()
    await yard.deliver()
    for (let retry = 0; retry < 7; retry += 1) {
      yard.parts.clock.advance(27 * 3_600_000)
      await yard.deliver()
      // Neither failures of less than three days nor a delivery that may still succeed disable it.
      const [delivery] = await yard.deliveries(bad.id)
      if (delivery!.status === 'pending') expect(await disableFailingWebhooks(yard.parts)).toBe(0)
    }
    expect(await statusOf(bad.id)).toBe('failing')
    yard.parts.clock.advance(Math.max(0, began + 3 * 86_400_000 - yard.parts.clock.now().getTime()))
    expect(await disableFailingWebhooks(yard.parts)).toBe(1)
    expect(await disableFailingWebhooks(yard.parts)).toBe(0)
    expect(await statusOf(bad.id)).toBe('disabled')
    const before = sink.received.length
    await yard.emit(8, 'transaction.updated')
    await yard.deliver()
    const after = sink.received.slice(before)
    expect(after.map(({ path }) => path)).toEqual(['/good'])
    expect(eventOf(after[0]!)).toMatchObject({ event: 'webhook.disabled', data: { webhookEndpointId: bad.id } })
    await updateWebhook(yard.parts, { organizationId: yard.organizationId, webhookId: bad.id }, { enabled: true })
    expect(await statusOf(bad.id)).toBe('active')
  })
})

describe('a dead endpoint whose organization has more events than it is probed with', () => {
  /** So many minutes with five events each, told and delivered every ten minutes. */
  async function traffic(minutes: number): Promise<void> {
    for (let passed = 0; passed < minutes; passed += 10) {
      yard.parts.clock.advance(600_000)
      await yard.emitMany(50)
      await yard.deliver()
    }
  }

  test('is failing within two days and disabled after three, with webhook.disabled', { timeout: 240_000 }, async () => {
    const sink = await yard.receiver()
    sink.answer = ({ path }) => (path === '/dead' ? 500 : 200)
    const dead = await yard.webhook(`${sink.url}/dead`)
    await yard.webhook(`${sink.url}/alive`, { events: ['operation.failed'] })
    await traffic(2 * 24 * 60)
    expect(await statusOf(dead.id)).toBe('failing')
    expect(await disableFailingWebhooks(yard.parts)).toBe(0)
    // The first attempt was made ten minutes after the beginning, and ended a little later.
    await traffic(24 * 60 + 20)
    expect(await disableFailingWebhooks(yard.parts)).toBe(1)
    expect(await statusOf(dead.id)).toBe('disabled')
    await yard.deliver()
    const told = sink.received.filter(({ path }) => path === '/alive').map(eventOf)
    expect(told).toMatchObject([{ event: 'webhook.disabled', data: { webhookEndpointId: dead.id } }])
  })

  test('gets everything at the first probe after it came back, untried events of an object in their order', async () => {
    const sink = await yard.receiver()
    sink.answer = () => 500
    const webhook = await yard.webhook(sink.url)
    await traffic(60)
    const before = sink.received.length
    sink.answer = () => 200
    await traffic(10)
    const { rows } = await sql<{ pending: number }>`
      select count(*) as pending from webhook_deliveries where webhook_id = ${webhook.id} and status = 'pending'
        and next_attempt_at <= ${yard.parts.clock.now()}
    `.execute(yard.parts.db)
    expect(rows).toEqual([{ pending: 0 }])
    const ids = sink.received.slice(before).map(({ headers }) => Number(String(headers['webhook-id']).slice(4)))
    expect(ids.length).toBeGreaterThan(300)
    const tried = new Set(
      sink.received.slice(0, before).map(({ headers }) => Number(String(headers['webhook-id']).slice(4))),
    )
    const objects = await yard.parts.db.selectFrom('outbox').select(['id', 'object_id']).execute()
    const objectOf = new Map(objects.map(({ id, object_id: object }) => [id, object]))
    for (const object of new Set(objectOf.values())) {
      const untried = ids.filter((id) => objectOf.get(id) === object && !tried.has(id))
      expect(untried).toEqual(untried.toSorted((a, b) => a - b))
    }
  })
})

async function statusOf(webhookId: number): Promise<string> {
  return (await getWebhook(yard.parts.db, { organizationId: yard.organizationId, webhookId })).status
}
