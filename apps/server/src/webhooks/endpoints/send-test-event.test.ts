import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openWebhookFixture, type WebhookFixture } from '../../../testing/webhooks/webhook-fixture.ts'
import type { WebhookReceiver } from '../../../testing/webhooks/webhook-receiver.ts'
import { sendTestEvent } from './send-test-event.ts'
import { deleteWebhook, updateWebhook } from './update-webhook.ts'

let yard: WebhookFixture
let receiver: WebhookReceiver
let named: { organizationId: number; webhookId: number }
beforeAll(async () => {
  yard = await openWebhookFixture()
})
afterAll(() => yard?.close())
beforeEach(async () => {
  await yard.reset()
  receiver = await yard.receiver()
  const { id } = await yard.webhook(`${receiver.url}/tested`, { events: ['operation.failed'] })
  named = { organizationId: yard.organizationId, webhookId: id }
})

const send = (of = named) => sendTestEvent(yard.parts, of)

test('a test event is delivered to its webhook alone, whatever the filters say', async () => {
  await yard.webhook(`${receiver.url}/other`)
  const queued = await send()
  await yard.deliver()
  expect(receiver.received.map(({ path }) => path)).toEqual(['/tested'])
  const [{ headers, body }] = receiver.received as [(typeof receiver.received)[number]]
  expect(headers['webhook-id']).toBe(queued.webhookId)
  expect(JSON.parse(body)).toMatchObject({ event: 'webhook.test', data: { webhookEndpointId: named.webhookId } })
})

test('each request sends one event', async () => {
  const queued = await Promise.all([send(), send()])
  await yard.deliver()
  expect(receiver.received.map(({ headers }) => headers['webhook-id']).sort()).toEqual(
    queued.map(({ webhookId }) => webhookId).sort(),
  )
})

test('a failed test event is retried like any other', async () => {
  receiver.answer = () => 500
  await send()
  await yard.deliver()
  receiver.answer = () => 200
  yard.parts.clock.advance(6_000)
  await yard.deliver()
  expect(await yard.deliveries(named.webhookId)).toMatchObject([
    { event: 'webhook.test', status: 'delivered', attempts: [{ statusCode: 500 }, { statusCode: 200 }] },
  ])
})

test('a webhook that is disabled, deleted or of another organization gets none', async () => {
  await expect(send({ ...named, organizationId: yard.organizationId + 1 })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await updateWebhook(yard.parts, named, { enabled: false })
  await expect(send()).rejects.toMatchObject({ code: 'CONFLICT' })
  await deleteWebhook(yard.parts, named)
  await expect(send()).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await yard.deliver()
  expect(receiver.received).toEqual([])
})
