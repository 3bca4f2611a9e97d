import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openWebhookFixture, type WebhookFixture } from '../../../testing/webhooks/webhook-fixture.ts'
import { deleteWebhook, updateWebhook } from './update-webhook.ts'

let yard: WebhookFixture
beforeEach(async () => {
  yard = await openWebhookFixture()
})
afterEach(() => yard.close())

describe('the owner of a webhook', () => {
  test('receives nothing after disabling or deleting it, and pending deliveries fail', async () => {
    const sink = await yard.receiver()
    sink.answer = () => 500
    const off = await yard.webhook(`${sink.url}/off`)
    const gone = await yard.webhook(`${sink.url}/gone`)
    await yard.emit(7, 'transaction.updated')
    await yard.deliver()
    const named = (webhookId: number) => ({ organizationId: yard.organizationId, webhookId })
    await updateWebhook(yard.parts, named(off.id), { enabled: false })
    await deleteWebhook(yard.parts, named(gone.id))
    await yard.emit(8, 'transaction.updated')
    yard.parts.clock.advance(60_000)
    await yard.deliver()
    expect(sink.received).toHaveLength(2)
    expect(await yard.deliveries(off.id)).toMatchObject([{ status: 'failed' }])
    await expect(yard.deliveries(gone.id)).rejects.toThrow('does not exist')
    await expect(deleteWebhook(yard.parts, named(gone.id))).rejects.toThrow('does not exist')
  })

  test('receives nothing after the organization was deleted', async () => {
    const sink = await yard.receiver()
    sink.answer = () => 500
    await yard.webhook(sink.url)
    await yard.emit(7, 'transaction.updated')
    await yard.deliver()
    const deleted = { deleted_at: yard.parts.clock.now() }
    await yard.database.db.updateTable('organizations').set(deleted).where('id', '=', yard.organizationId).execute()
    yard.parts.clock.advance(60_000)
    await yard.deliver()
    expect(sink.received).toHaveLength(1)
  })

  test('can change its URL, and pending deliveries go there at once', async () => {
    const sink = await yard.receiver()
    sink.answer = ({ path }) => (path === '/old' ? 500 : 200)
    const webhook = await yard.webhook(`${sink.url}/old`)
    for (let object = 1; object <= 20; object += 1) await yard.emit(object, 'transaction.updated')
    await yard.deliver()
    const named = { organizationId: yard.organizationId, webhookId: webhook.id }
    await updateWebhook(yard.parts, named, { url: `${sink.url}/new` })
    yard.parts.clock.advance(6_000)
    await yard.deliver()
    expect(sink.received.filter(({ path }) => path === '/new')).toHaveLength(20)
  })
})
