import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { useFixture } from '../../../testing/use-fixture.ts'
import { openWebhookFixture } from '../../../testing/webhook-fixture.ts'
import { EVENTS_RETENTION_MS } from '../../kernel/index.ts'
import { relayEvents } from '../delivery/relay-events.ts'
import { listEvents } from './list-events.ts'
import { sweepEvents } from './sweep-events.ts'

const yard = useFixture(openWebhookFixture)
beforeEach(() => yard.reset())

const idsAfter = async (after: number | null) => {
  const scope = { organizationId: yard.organizationId, walletProfileId: null }
  return (await listEvents(yard.parts, scope, { after, limit: 100 })).events.map(({ id }) => id)
}

test('events and deliveries are kept for 30 days, and an older cursor continues with the oldest that is kept', async () => {
  const receiver = await yard.receiver()
  const webhook = await yard.webhook(receiver.url)
  const [old = 0] = await yard.emit(1, 'transaction.updated')
  await yard.deliver()
  yard.parts.clock.advance(EVENTS_RETENTION_MS)
  const [recent = 0] = await yard.emit(1, 'transaction.completed')
  await yard.deliver()
  expect(await sweepEvents(yard.parts)).toBe(0)
  yard.parts.clock.advance(1)
  expect(await sweepEvents(yard.parts)).toBe(2)
  expect(await idsAfter(null)).toEqual([recent])
  expect(await idsAfter(old)).toEqual([recent])
  expect((await yard.deliveries(webhook.id)).map(({ event }) => event)).toEqual(['transaction.completed'])
})

test('an event that was never relayed is kept, however old, and delivered in the end', async () => {
  const [id] = await yard.emit(1, 'transaction.updated')
  yard.parts.clock.advance(2 * EVENTS_RETENTION_MS)
  expect(await sweepEvents(yard.parts)).toBe(0)
  await relayEvents(yard.parts)
  expect(await idsAfter(null)).toEqual([id])
})

test('more than one step’s worth is deleted in one call, by one of two processes or by both', async () => {
  const at = yard.parts.clock.now()
  await sql`
    insert into outbox (organization_id, event, object_type, object_id, data, created_at, position, body, relayed_at)
    select ${yard.organizationId}, 'transaction.updated', 'ramp_transaction', 1, '{}', ${at}, n, '{}', ${at}
    from generate_series(1, 10001) n
  `.execute(yard.parts.db)
  yard.parts.clock.advance(EVENTS_RETENTION_MS + 1)
  const swept = await Promise.all([sweepEvents(yard.parts), sweepEvents(yard.parts)])
  expect(swept[0] + swept[1]).toBe(10_001)
  expect(await idsAfter(null)).toEqual([])
})
