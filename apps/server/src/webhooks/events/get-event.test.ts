// Also tested elsewhere: organizations and keys of profiles (system/access/isolation.test.ts).
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openWebhookFixture, type WebhookFixture } from '../../../testing/webhooks/webhook-fixture.ts'
import { relayEvents } from '../delivery/relay-events.ts'
import { getEvent } from './get-event.ts'
import { listEvents } from './list-events.ts'

let yard: WebhookFixture
beforeEach(async () => {
  yard = await openWebhookFixture()
})
afterEach(() => yard.close())

test('an event is read as the list shows it, once it is published, and by its organization only', async () => {
  const [id = 0] = await yard.emit(1, 'transaction.updated')
  const scope = { organizationId: yard.organizationId, walletProfileId: null }
  const read = (organizationId = yard.organizationId) => getEvent(yard.parts, { ...scope, organizationId }, id)
  await expect(read()).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await relayEvents(yard.parts)
  const { events } = await listEvents(yard.parts, scope, { after: null, limit: 1 })
  expect(await read()).toEqual(events[0])
  await expect(read(yard.organizationId + 1)).rejects.toMatchObject({ code: 'NOT_FOUND' })
})
