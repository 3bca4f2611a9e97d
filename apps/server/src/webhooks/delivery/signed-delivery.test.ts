import { Webhook as StandardWebhook } from 'standardwebhooks'
import { Webhook as SvixWebhook } from 'svix'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openWebhookFixture, type WebhookFixture } from '../../../testing/webhooks/webhook-fixture.ts'
import type { ReceivedWebhook } from '../../../testing/webhooks/webhook-receiver.ts'
import { systemClock } from '../../kernel/index.ts'
import { relayEvents } from './relay-events.ts'

let yard: WebhookFixture
beforeEach(async () => {
  yard = await openWebhookFixture()
})
afterEach(() => yard.close())

const eventOf = ({ body }: ReceivedWebhook) => JSON.parse(body) as { event: string; timestamp: string; data: object }
const headersOf = ({ headers }: ReceivedWebhook) => headers as Record<string, string>

describe('a delivery', () => {
  test('carries event, time and data, and is recorded as delivered', async () => {
    const sink = await yard.receiver()
    const webhook = await yard.webhook(`${sink.url}/in`)
    const [eventId] = await yard.emit(7, 'transaction.updated')
    await yard.deliver()
    expect(sink.received).toHaveLength(1)
    const [received] = sink.received
    expect(eventOf(received!)).toEqual({
      event: 'transaction.updated',
      timestamp: '2026-03-01T10:00:00.000Z',
      data: { transaction_id: 7 },
    })
    expect(received!.headers).toMatchObject({ 'content-type': 'application/json', 'webhook-id': `evt_${eventId}` })
    expect(await yard.deliveries(webhook.id)).toMatchObject([
      {
        messageId: `evt_${eventId}`,
        event: 'transaction.updated',
        status: 'delivered',
        attempts: [{ at: '2026-03-01T10:00:00.000Z', statusCode: 200, error: null, durationMs: expect.any(Number) }],
      },
    ])
  })

  test('is verified by the standardwebhooks and svix packages, Unicode included, and rejected by both when changed', async () => {
    const sink = await yard.receiver()
    // Both packages read the machine's clock.
    const now = yard.deliverer({ clock: systemClock })
    const { secret } = await yard.webhook(sink.url)
    const data = { name: 'Zoë 漢字 \u{1f30a} "quoted" \u2028', amount: '1.50' }
    await yard.emit(7, { event: 'customer.approved', data })
    await relayEvents(yard.parts)
    await now.runOnce()
    await now.onIdle()
    const [received] = sink.received
    const { body } = received!
    const headers = headersOf(received!)
    expect(new StandardWebhook(secret).verify(body, headers)).toMatchObject({ event: 'customer.approved', data })
    for (const receiver of [new StandardWebhook(secret), new SvixWebhook(secret)]) {
      expect(() => receiver.verify(body, headers)).not.toThrow()
      expect(() => receiver.verify(body.replace('1.50', '9.50'), headers)).toThrow()
      expect(() => receiver.verify(body, { ...headers, 'webhook-id': 'evt_1000' })).toThrow()
      const later = String(Number(headers['webhook-timestamp']) + 1)
      expect(() => receiver.verify(body, { ...headers, 'webhook-timestamp': later })).toThrow()
    }
    for (const Receiver of [StandardWebhook, SvixWebhook]) {
      expect(() =>
        new Receiver(`whsec_${Buffer.from('another secret').toString('base64')}`).verify(body, headers),
      ).toThrow()
      // Conversely, they produce the same signatures.
      const at = new Date(Number(headers['webhook-timestamp']) * 1_000)
      expect(new Receiver(secret).sign(headers['webhook-id']!, at, body)).toBe(headers['webhook-signature'])
    }
  })

  test('goes to the webhooks of its organization whose filter matches', async () => {
    const sink = await yard.receiver()
    await yard.webhook(`${sink.url}/all`)
    await yard.webhook(`${sink.url}/completed`, { events: ['transaction.completed', 'operation.failed'] })
    const stranger = await yard.database.db
      .insertInto('organizations')
      .values({ name: 'Other', created_at: yard.parts.clock.now() })
      .returning('id')
      .executeTakeFirstOrThrow()
    await yard.webhook(`${sink.url}/stranger`, { organizationId: stranger.id })
    await yard.emit(7, 'transaction.updated', 'transaction.completed')
    await yard.deliver()
    expect(sink.received.map(({ path, body }) => `${path} ${JSON.parse(body).event}`).sort()).toEqual([
      '/all transaction.completed',
      '/all transaction.updated',
      '/completed transaction.completed',
    ])
  })
})
