import { Webhook as StandardWebhook } from 'standardwebhooks'
import { Webhook as SvixWebhook } from 'svix'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { until } from '../../testing/index.ts'
import type { Received } from '../../testing/webhook-sink.ts'
import { openYard, type WebhookYard } from '../../testing/webhooks.ts'
import { systemClock } from '../kernel/index.ts'
import { changeWebhook, deleteWebhook } from './change-webhook.ts'
import { LEASE_MS } from './claim.ts'
import { replayDelivery } from './delivery.ts'
import { disableFailing } from './disable-failing.ts'
import { getWebhook } from './read-webhooks.ts'
import { relayEvents } from './relay-events.ts'
import { rotateSecret } from './rotate-secret.ts'
import { JITTER, RETRY_AFTER_MS } from './schedule.ts'
import { sendTest } from './send-test.ts'

let yard: WebhookYard
beforeEach(async () => {
  yard = await openYard()
})
afterEach(() => yard.close())

const eventOf = ({ body }: Received) => JSON.parse(body) as { event: string; timestamp: string; data: object }
const headersOf = ({ headers }: Received) => headers as Record<string, string>

describe('a delivery', () => {
  test('carries event, time and data, and is written down as delivered', async () => {
    const sink = await yard.sink()
    const webhook = await yard.webhook(`${sink.url}/in`)
    const [eventId] = await yard.tell(7, 'transaction.updated')
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
        webhookId: `evt_${eventId}`,
        event: 'transaction.updated',
        status: 'delivered',
        attempts: [{ at: '2026-03-01T10:00:00.000Z', statusCode: 200, error: null, durationMs: expect.any(Number) }],
        nextAttemptAt: null,
      },
    ])
  })

  test('is verified by the standardwebhooks and svix packages, unicode included, and by neither when touched', async () => {
    const sink = await yard.sink()
    // Both packages read the machine's clock.
    const now = yard.deliverer({ clock: systemClock })
    const { secret } = await yard.webhook(sink.url)
    const data = { name: 'Zoë 漢字 \u{1f30a} "quoted" \u2028', amount: '1.50' }
    await yard.tell(7, { event: 'customer.approved', data })
    await relayEvents(yard.parts)
    await now.round()
    await now.settled()
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
      // The other way round: what they sign is what we sign.
      const at = new Date(Number(headers['webhook-timestamp']) * 1_000)
      expect(new Receiver(secret).sign(headers['webhook-id']!, at, body)).toBe(headers['webhook-signature'])
    }
  })

  test('is signed by the old secret, too, for 24 hours after a rotation', async () => {
    const sink = await yard.sink()
    const clock = { now: () => new Date(Date.now()) }
    const { id, secret: old } = await yard.webhook(sink.url)
    const named = { organizationId: yard.organizationId, webhookId: id }
    const { secret, oldSecretValidUntil } = await rotateSecret({ ...yard.parts, clock }, named)
    const verifies = async (at: Date) => {
      await yard.tell(7, 'transaction.updated')
      await relayEvents(yard.parts)
      const deliverer = yard.deliverer({ clock: { now: () => at } })
      await deliverer.round()
      await deliverer.settled()
      const received = sink.received.pop()!
      const signatures = headersOf(received)['webhook-signature']!.split(' ')
      const valid = [secret, old].map((one) => signatures.includes(signatureBy(one, received)))
      return valid
    }
    expect(secret).not.toBe(old)
    expect(await verifies(new Date(oldSecretValidUntil.getTime() - 1_000))).toEqual([true, true])
    expect(await verifies(oldSecretValidUntil)).toEqual([true, false])
  })

  test('goes to the webhooks that want it, of its organization', async () => {
    const sink = await yard.sink()
    await yard.webhook(`${sink.url}/all`)
    await yard.webhook(`${sink.url}/completed`, { events: ['transaction.completed', 'operation.failed'] })
    const stranger = await yard.database.db
      .insertInto('organizations')
      .values({ name: 'Other', created_at: yard.parts.clock.now() })
      .returning('id')
      .executeTakeFirstOrThrow()
    await yard.webhook(`${sink.url}/stranger`, { organizationId: stranger.id })
    await yard.tell(7, 'transaction.updated', 'transaction.completed')
    await yard.deliver()
    expect(sink.received.map(({ path, body }) => `${path} ${JSON.parse(body).event}`).sort()).toEqual([
      '/all transaction.completed',
      '/all transaction.updated',
      '/completed transaction.completed',
    ])
  })

  test('a test goes to its webhook alone, whatever its filter', async () => {
    const sink = await yard.sink()
    await yard.webhook(`${sink.url}/other`)
    const webhook = await yard.webhook(`${sink.url}/tested`, { events: ['operation.failed'] })
    const queued = await sendTest(yard.parts, { organizationId: yard.organizationId, webhookId: webhook.id })
    await yard.deliver()
    expect(sink.received.map(({ path }) => path)).toEqual(['/tested'])
    expect(sink.received[0]!.headers['webhook-id']).toBe(queued.webhookId)
    expect(eventOf(sink.received[0]!)).toMatchObject({ event: 'webhook.test', data: { webhookEndpointId: webhook.id } })
  })
})

describe('a failure', () => {
  test('is tried again after 5 s, 1 min, 5 min, 30 min, 2 h, 6 h and 24 h, and then no more', async () => {
    const sink = await yard.sink()
    sink.answer = () => 500
    const webhook = await yard.webhook(sink.url)
    await yard.tell(7, 'transaction.updated')
    await yard.deliver()
    for (const [turn, pause] of RETRY_AFTER_MS.entries()) {
      const [delivery] = await yard.deliveries(webhook.id)
      expect(delivery).toMatchObject({ status: 'pending' })
      expect(delivery!.attempts).toHaveLength(turn + 1)
      const wait = delivery!.nextAttemptAt!.getTime() - yard.parts.clock.now().getTime()
      // The attempt itself took a moment, too.
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
    expect(delivery).toMatchObject({ status: 'failed', nextAttemptAt: null })
    expect(new Set(sink.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect(new Set(sink.received.map(({ body }) => body)).size).toBe(1)
    expect(await statusOf(webhook.id)).toBe('failing')
    yard.parts.clock.advance(30 * 86_400_000)
    await yard.deliver()
    expect(sink.received).toHaveLength(8)
  })

  test('of every kind is told in a sentence, and anything but 2xx is one', async () => {
    const sink = await yard.sink()
    const closed = await yard.sink()
    await closed.close()
    const kinds: [string, RegExp, number | null][] = [
      [`${sink.url}/302`, /Redirects are not followed/, 302],
      [`${sink.url}/404`, /The answer was 404/, 404],
      [`${sink.url}/503`, /The answer was 503/, 503],
      [`${closed.url}/`, /connection was refused/, null],
      ['https://10.1.2.3.nip.invalid/', /host name/, null],
      [sink.url.replace('http:', 'https:'), /TLS could not be set up|closed before/, null],
    ]
    sink.answer = ({ path }) => Number(path.slice(1)) || 200
    for (const [url, error, statusCode] of kinds) {
      const webhook = await yard.webhook(url, { events: ['operation.failed'] })
      await sendTest(yard.parts, { organizationId: yard.organizationId, webhookId: webhook.id })
      await yard.deliver()
      const [delivery] = await yard.deliveries(webhook.id)
      expect(delivery!.attempts[0], url).toMatchObject({ statusCode, error: expect.stringMatching(error) })
    }
  })

  test('does not keep later events of its object back; a success makes the receiver well again', async () => {
    const sink = await yard.sink()
    sink.answer = ({ body }) => (JSON.parse(body).event === 'transaction.updated' ? 500 : 200)
    const webhook = await yard.webhook(sink.url)
    await yard.tell(7, 'transaction.updated', 'transaction.completed')
    await yard.deliver()
    expect((await yard.deliveries(webhook.id)).map(({ status }) => status)).toEqual(['pending', 'delivered'])
    expect(await statusOf(webhook.id)).toBe('active')
  })

  test('again and again pauses the receiver, which then gets one request to show itself', async () => {
    const sink = await yard.sink()
    sink.answer = () => 500
    const webhook = await yard.webhook(sink.url)
    for (let object = 1; object <= 40; object += 1) await yard.tell(object, 'transaction.updated')
    await yard.deliver()
    const atFirst = sink.received.length
    expect(atFirst).toBeGreaterThanOrEqual(5)
    // Those that were under way with the fifth, and those that had begun in the place of the first four.
    expect(atFirst).toBeLessThanOrEqual(12)
    await yard.deliver()
    expect(sink.received.length).toBe(atFirst)
    yard.parts.clock.advance(60_000)
    await yard.deliver()
    expect(sink.received.length).toBe(atFirst + 1)
    sink.answer = () => 200
    yard.parts.clock.advance(6 * 60_000)
    await yard.deliver()
    expect((await yard.deliveries(webhook.id)).every(({ status }) => status === 'delivered')).toBe(true)
  })

  test('for three days disables the webhook and tells the others, whatever their filter', async () => {
    const sink = await yard.sink()
    sink.answer = ({ path }) => (path === '/bad' ? 500 : 200)
    const bad = await yard.webhook(`${sink.url}/bad`)
    await yard.webhook(`${sink.url}/good`, { events: ['operation.failed'] })
    await yard.tell(7, 'transaction.updated')
    const began = yard.parts.clock.now().getTime()
    await yard.deliver()
    for (let retry = 0; retry < 7; retry += 1) {
      yard.parts.clock.advance(27 * 3_600_000)
      await yard.deliver()
      // Not for failures of less than three days, and not while a delivery may still succeed.
      const [delivery] = await yard.deliveries(bad.id)
      if (delivery!.status === 'pending') expect(await disableFailing(yard.parts)).toBe(0)
    }
    expect(await statusOf(bad.id)).toBe('failing')
    yard.parts.clock.advance(Math.max(0, began + 3 * 86_400_000 - yard.parts.clock.now().getTime()))
    expect(await disableFailing(yard.parts)).toBe(1)
    expect(await disableFailing(yard.parts)).toBe(0)
    expect(await statusOf(bad.id)).toBe('disabled')
    const before = sink.received.length
    await yard.tell(8, 'transaction.updated')
    await yard.deliver()
    const after = sink.received.slice(before)
    expect(after.map(({ path }) => path)).toEqual(['/good'])
    expect(eventOf(after[0]!)).toMatchObject({ event: 'webhook.disabled', data: { webhookEndpointId: bad.id } })
    await changeWebhook(yard.parts, { organizationId: yard.organizationId, webhookId: bad.id }, { enabled: true })
    expect(await statusOf(bad.id)).toBe('active')
  })
})

describe('whatever happens to a process', () => {
  test('a crash between sending and writing down means a second delivery, never none', async () => {
    const sink = await yard.sink()
    await yard.webhook(sink.url)
    await yard.tell(7, 'transaction.updated')
    await relayEvents(yard.parts)
    // It is sent, and the process ends before the answer comes: what it had claimed stays claimed.
    let sent = () => {}
    const wasSent = new Promise<void>((resolve) => {
      sent = resolve
    })
    sink.answer = () => {
      sent()
      return 'hang'
    }
    const doomed = yard.deliverer({ db: dyingDatabase(yard) })
    await doomed.round()
    await wasSent
    sink.answer = () => 200
    await yard.deliver()
    expect(sink.received).toHaveLength(1)
    yard.parts.clock.advance(LEASE_MS)
    await yard.deliver()
    expect(sink.received).toHaveLength(2)
    expect(sink.received[0]!.headers['webhook-id']).toBe(sink.received[1]!.headers['webhook-id'])
    await sink.close()
    await doomed.settled()
  })

  test('a crash between taking a place in line and making deliveries leaves neither', async () => {
    const sink = await yard.sink()
    await yard.webhook(sink.url)
    await yard.tell(7, 'transaction.updated')
    const { db } = yard.database
    await db.schema.alterTable('webhook_deliveries').renameTo('elsewhere').execute()
    await expect(relayEvents(yard.parts)).rejects.toThrow('webhook_deliveries')
    await db.schema.alterTable('elsewhere').renameTo('webhook_deliveries').execute()
    await yard.deliver()
    expect(sink.received).toHaveLength(1)
  })

  test('several share the work without doing it twice, in the order of each object', async () => {
    const sink = await yard.sink()
    const webhooks = await Promise.all(Array.from({ length: 6 }, (_, each) => yard.webhook(`${sink.url}/${each}`)))
    const steps = ['transaction.updated', 'transaction.completed', 'transaction.reversed']
    sink.answer = async () => {
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 4))
      return 200
    }
    const others = [yard.deliverer(), yard.deliverer()]
    for (const other of others) other.start()
    for (const step of steps) for (let object = 1; object <= 10; object += 1) await yard.tell(object, step)
    while ((await relayEvents(yard.parts)) > 0);
    for (const other of others) other.nudge()
    await until(() => sink.received.length >= webhooks.length * 30)
    await Promise.all(others.map((other) => other.stop()))
    expect(sink.received).toHaveLength(webhooks.length * 30)
    const order = new Map<string, string[]>()
    for (const received of sink.received) {
      const { event, data } = eventOf(received) as { event: string; data: { transaction_id?: number } }
      const key = `${received.path} ${data.transaction_id}`
      order.set(key, [...(order.get(key) ?? []), event])
    }
    expect(order.size).toBe(webhooks.length * 10)
    for (const [key, told] of order) expect(told, key).toEqual(steps)
  })

  test('a receiver that hangs delays no other', async () => {
    const sink = await yard.sink()
    sink.answer = ({ path }) => (path === '/dead' ? 'hang' : 200)
    await yard.webhook(`${sink.url}/dead`)
    await yard.webhook(`${sink.url}/alive`)
    const deliverer = yard.deliverer()
    for (let object = 1; object <= 50; object += 1) await yard.tell(object, 'transaction.updated')
    await relayEvents(yard.parts)
    await deliverer.round()
    await until(() => sink.received.filter(({ path }) => path === '/alive').length === 50)
    expect(sink.received.filter(({ path }) => path === '/dead').length).toBeLessThanOrEqual(8)
    await sink.close()
    await deliverer.settled()
  })
})

describe('whoever owns a webhook', () => {
  test('can have a delivery sent again, with all attempts before it', async () => {
    const sink = await yard.sink()
    const webhook = await yard.webhook(sink.url)
    await yard.tell(7, 'transaction.updated')
    await yard.deliver()
    const deliveryId = (await yard.deliveries(webhook.id))[0]!.id
    const replayed = await replayDelivery(yard.parts, { organizationId: yard.organizationId, deliveryId })
    expect(replayed.status).toBe('pending')
    sink.answer = () => 500
    await yard.deliver()
    yard.parts.clock.advance(6_000)
    sink.answer = () => 200
    await yard.deliver()
    expect(sink.received.map(({ headers }) => headers['webhook-id'])).toEqual(Array(3).fill(replayed.webhookId))
    const [delivery] = await yard.deliveries(webhook.id)
    expect(delivery!.attempts.map(({ statusCode }) => statusCode)).toEqual([200, 500, 200])
    const stranger = replayDelivery(yard.parts, { organizationId: yard.organizationId + 1, deliveryId })
    await expect(stranger).rejects.toThrow('does not exist')
  })

  test('gets nothing more after switching it off or deleting it, and what was waiting has failed', async () => {
    const sink = await yard.sink()
    sink.answer = () => 500
    const off = await yard.webhook(`${sink.url}/off`)
    const gone = await yard.webhook(`${sink.url}/gone`)
    await yard.tell(7, 'transaction.updated')
    await yard.deliver()
    const named = (webhookId: number) => ({ organizationId: yard.organizationId, webhookId })
    await changeWebhook(yard.parts, named(off.id), { enabled: false })
    await deleteWebhook(yard.parts, named(gone.id))
    await yard.tell(8, 'transaction.updated')
    yard.parts.clock.advance(60_000)
    await yard.deliver()
    expect(sink.received).toHaveLength(2)
    expect(await yard.deliveries(off.id)).toMatchObject([{ status: 'failed', nextAttemptAt: null }])
    await expect(yard.deliveries(gone.id)).rejects.toThrow('does not exist')
    await expect(deleteWebhook(yard.parts, named(gone.id))).rejects.toThrow('does not exist')
  })

  test('and was deleted with its organization, gets nothing more', async () => {
    const sink = await yard.sink()
    sink.answer = () => 500
    await yard.webhook(sink.url)
    await yard.tell(7, 'transaction.updated')
    await yard.deliver()
    const deleted = { deleted_at: yard.parts.clock.now() }
    await yard.database.db.updateTable('organizations').set(deleted).where('id', '=', yard.organizationId).execute()
    yard.parts.clock.advance(60_000)
    await yard.deliver()
    expect(sink.received).toHaveLength(1)
  })

  test('can send it elsewhere, and what is waiting goes there at once', async () => {
    const sink = await yard.sink()
    sink.answer = ({ path }) => (path === '/old' ? 500 : 200)
    const webhook = await yard.webhook(`${sink.url}/old`)
    for (let object = 1; object <= 20; object += 1) await yard.tell(object, 'transaction.updated')
    await yard.deliver()
    const named = { organizationId: yard.organizationId, webhookId: webhook.id }
    await changeWebhook(yard.parts, named, { url: `${sink.url}/new` })
    yard.parts.clock.advance(6_000)
    await yard.deliver()
    expect(sink.received.filter(({ path }) => path === '/new')).toHaveLength(20)
  })
})

async function statusOf(webhookId: number): Promise<string> {
  return (await getWebhook(yard.parts.db, { organizationId: yard.organizationId, webhookId })).status
}

function signatureBy(secret: string, { headers, body }: Received): string {
  const at = new Date(Number(headers['webhook-timestamp']) * 1_000)
  return new StandardWebhook(secret).sign(String(headers['webhook-id']), at, body)
}

/** A database that takes claims and reads, and on which nothing that was sent can be written down: its process is dead. */
function dyingDatabase({ parts: { db } }: WebhookYard): typeof db {
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
