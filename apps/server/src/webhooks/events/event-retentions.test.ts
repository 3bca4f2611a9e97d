import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { useFixture } from '../../../testing/use-fixture.ts'
import { openWebhookFixture } from '../../../testing/webhooks/webhook-fixture.ts'
import { deleteOldRows } from '../../database/index.ts'
import { relayEvents } from '../delivery/relay-events.ts'
import { eventRetentions } from './event-retentions.ts'
import { listEvents, listEventsBefore } from './list-events.ts'

const EVENTS_RETENTION_MS = 30 * 86_400_000

const yard = useFixture(openWebhookFixture)
beforeEach(() => yard.reset())

const pageAfter = (after: number | null) =>
  listEvents(yard.parts, { organizationId: yard.organizationId, walletProfileId: null }, { after, limit: 100 })
const idsAfter = async (after: number | null) => (await pageAfter(after)).events.map(({ id }) => id)
const sweep = async (retentionMs: number | undefined = EVENTS_RETENTION_MS) => {
  const deleted = await deleteOldRows(yard.parts, eventRetentions(yard.parts, retentionMs))
  return { deliveries: deleted.get('webhook_deliveries') ?? 0, events: deleted.get('outbox') ?? 0 }
}

test('events and deliveries are kept for the retention, and an older cursor continues with the oldest that is kept', async () => {
  const receiver = await yard.receiver()
  const webhook = await yard.webhook(receiver.url)
  const [old = 0] = await yard.emit(1, 'transaction.updated')
  await yard.deliver()
  yard.parts.clock.advance(EVENTS_RETENTION_MS)
  const [recent = 0] = await yard.emit(1, 'transaction.completed')
  await yard.deliver()
  expect(await sweep()).toEqual({ deliveries: 0, events: 0 })
  yard.parts.clock.advance(1)
  expect(await sweep()).toEqual({ deliveries: 1, events: 1 })
  expect(await idsAfter(null)).toEqual([recent])
  expect(await idsAfter(old)).toEqual([recent])
  expect((await yard.deliveries(webhook.id)).map(({ event }) => event)).toEqual(['transaction.completed'])
})

test('an event that was never relayed is kept, however old, and delivered in the end', async () => {
  const [id] = await yard.emit(1, 'transaction.updated')
  yard.parts.clock.advance(2 * EVENTS_RETENTION_MS)
  expect(await sweep()).toEqual({ deliveries: 0, events: 0 })
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
  const swept = await Promise.all([sweep(), sweep()])
  expect(swept[0].events + swept[1].events + (await sweep()).events).toBe(10_001)
  expect(await idsAfter(null)).toEqual([])
})

test('the list tells a reader who comes too late once that events were deleted, and nobody else', async () => {
  const [first = 0, second = 0] = await yard.emit(1, 'transaction.updated', 'transaction.completed')
  await relayEvents(yard.parts)
  yard.parts.clock.advance(EVENTS_RETENTION_MS + 1)
  await sweep()
  expect(await pageAfter(second)).toMatchObject({ events: [], cursor: second, isMissing: false })
  expect(await pageAfter(null)).toMatchObject({ events: [], isMissing: false })
  const late = await pageAfter(first)
  expect(late).toMatchObject({ events: [], cursor: second, isMissing: true })
  expect(await pageAfter(late.cursor)).toMatchObject({ isMissing: false })
  const [third = 0] = await yard.emit(1, 'transaction.updated')
  await relayEvents(yard.parts)
  expect(await pageAfter(first)).toMatchObject({ events: [{ id: third }], cursor: third, isMissing: true })
  expect(await pageAfter(second)).toMatchObject({ events: [{ id: third }], isMissing: false })
  expect(await pageAfter(third)).toMatchObject({ events: [], isMissing: false })
})

test('after the deletion of its last event, a reader skips no stored event because of one that was released late', async () => {
  const [held = 0, ...ids] = await yard.emit(1, ...Array(6).fill('transaction.updated'))
  const [first = 0, second = 0, third = 0] = ids
  const { db } = yard.parts
  // As if it had been held until now.
  await relayEvents(yard.parts)
  await db.updateTable('outbox').set({ position: sql<number>`position + 100` }).where('id', '=', held).execute()
  yard.parts.clock.advance(EVENTS_RETENTION_MS + 1)
  await db
    .updateTable('outbox')
    .set({ relayed_at: yard.parts.clock.now() })
    .where('id', 'not in', [first, second])
    .execute()
  expect((await sweep()).events).toBe(2)
  const rest = [...ids.slice(2), held]
  const pages = async (after: number) => {
    const { events, isMissing } = await pageAfter(after)
    return { ids: events.map(({ id }) => id), isMissing }
  }
  expect(await pages(second)).toEqual({ ids: rest, isMissing: false })
  expect(await pages(first)).toEqual({ ids: rest, isMissing: true })
  expect(await pages(third)).toEqual({ ids: rest.slice(1), isMissing: false })
  expect(await pages(held)).toEqual({ ids: [], isMissing: false })
  const scope = { organizationId: yard.organizationId, walletProfileId: null }
  const earlier = await listEventsBefore(yard.parts, scope, { before: second, limit: 100 })
  expect(earlier.events).toEqual([])
})

test('without a retention nothing is deleted', async () => {
  await yard.emit(1, 'transaction.updated')
  await relayEvents(yard.parts)
  yard.parts.clock.advance(10 * EVENTS_RETENTION_MS)
  expect(eventRetentions(yard.parts, undefined)).toEqual([])
})
